//! HTTP on loopback: connections, the token, and bounds.
//!
//! Decision: hyper speaks HTTP, and one thread for each connection drives it over a blocking socket. What is asked is
//! answered at once out of memory, so a runtime with its timers, polls and wake-ups would add system calls that the
//! sandbox then had to allow; like this the server accepts, reads and writes, and can do nothing else.
//!
//! Invariants: nobody without the token learns anything, and the token is compared in constant time; a request that names
//! another host than loopback is refused, so that no page in a browser can reach it by a name of its own (DNS
//! rebinding); no answer allows another origin; the number of connections, the size of a head and of a body, and the time
//! that each may take are bounded; a thread that panics takes its connection along, and nothing else.

use crate::reply::{Body, Reply};
use crate::served::{Request, Served};
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Response, StatusCode};
use std::cell::Cell;
use std::convert::Infallible;
use std::future::Future;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// Connections at once: clients that look for all groups open one for each.
const CONNECTIONS: usize = 256;
/// How long nothing may come.
const IDLE: Duration = Duration::from_secs(30);
/// How long the head of a request and its body may take.
const REQUEST: Duration = Duration::from_secs(20);
/// How long a client may take to read a piece.
const SLOW: Duration = Duration::from_secs(60);
/// Bytes of a head, and of what is read ahead.
const HEAD: usize = 64 << 10;
/// Bytes of the body of a review, which is the only one that is read.
const BODY: usize = 64 << 10;
/// Bytes of the stack of a thread: objects are nested.
const STACK: usize = 8 << 20;
/// Pieces of a log that may wait.
const WAITING: usize = 16;
/// Bytes of a warning.
const WARNING: usize = 1000;

/// A word that nobody guesses: 192 bits.
///
/// # Errors
/// If the system gives no random numbers.
pub fn random() -> io::Result<String> {
    let mut random = [0_u8; 24];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A server that listens, and answers nobody yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
}

impl Server {
    /// Listens on loopback; port 0 is any that is free.
    ///
    /// # Errors
    /// If the port is taken, or the system gives no random numbers.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, token: random()? })
    }

    /// The beginning of every address: `http://127.0.0.1:PORT/TOKEN`.
    pub fn base(&self) -> String {
        format!("http://{}/{}", self.address, self.token)
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// If the system takes no more connections.
    pub fn run(self, served: &Arc<Served>) -> io::Result<()> {
        let slots = Arc::new(Slots::default());
        let gate = Arc::new(Gate { served: Arc::clone(served), token: self.token, port: self.address.port() });
        loop {
            let slot = Slots::take(&slots);
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if is_passing(&error) => continue,
                Err(error) => return Err(error),
            };
            let gate = Arc::clone(&gate);
            let work = move || {
                let _slot = slot;
                // A client that goes away, or sends no HTTP, is no fault of the server.
                let _ = connection(stream, gate);
            };
            // Where there can be no more threads, the client is sent away, and may come again.
            let _ = std::thread::Builder::new().name("client".to_owned()).stack_size(STACK).spawn(work);
        }
    }
}

/// An error of one connection, or one that goes by.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let is_full = matches!(error.raw_os_error(), Some(23 | 24));
    if is_full {
        std::thread::sleep(Duration::from_millis(50));
    }
    is_full
        || matches!(
            error.kind(),
            Kind::ConnectionAborted | Kind::ConnectionReset | Kind::Interrupted | Kind::WouldBlock | Kind::TimedOut
        )
}

/// Places for connections: who finds none waits until one is free.
#[derive(Debug, Default)]
struct Slots {
    taken: Mutex<usize>,
    freed: Condvar,
}

struct Slot(Arc<Slots>);

impl Slots {
    fn take(slots: &Arc<Self>) -> Slot {
        let mut taken = slots.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken >= CONNECTIONS {
            taken = slots.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += 1;
        Slot(Arc::clone(slots))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

/// Who is let in.
#[derive(Debug)]
struct Gate {
    served: Arc<Served>,
    token: String,
    port: u16,
}

impl Gate {
    /// Is the host that a request names this machine itself?
    fn is_loopback(&self, headers: &HeaderMap, authority: Option<&str>) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) else { return false };
        let is_own = |host: &str| {
            let Some((name, port)) = host.rsplit_once(':') else { return false };
            matches!(name, "127.0.0.1" | "localhost") && port.parse() == Ok(self.port)
        };
        is_own(host) && authority.is_none_or(is_own)
    }

    /// What stands behind the token; `None` without the right one.
    fn behind_token<'p>(&self, path: &'p str) -> Option<&'p str> {
        let path = path.strip_prefix('/')?;
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        bool::from(token.as_bytes().ct_eq(self.token.as_bytes())).then_some(rest)
    }

    fn answer(&self, head: &hyper::http::request::Parts, body: &[u8]) -> Reply {
        let authority = head.uri.authority().map(hyper::http::uri::Authority::as_str);
        if !self.is_loopback(&head.headers, authority) {
            return Reply::text("").coded(403);
        }
        let Some(path) = self.behind_token(head.uri.path()) else { return Reply::text("").coded(404) };
        if path.is_empty() && !head.uri.path().ends_with('/') {
            // What the page names stands below it.
            let location = Some(format!("/{}/", self.token));
            return Reply { location, ..Reply::text("").coded(308) };
        }
        let accept = head.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let query = head.uri.query().unwrap_or_default();
        self.served.answer(&Request { method: head.method.as_str(), path, query, accept, body })
    }
}

/// Serves one connection to its end.
fn connection(stream: TcpStream, gate: Arc<Gate>) -> Result<(), hyper::Error> {
    let closing = stream.try_clone();
    let began = Rc::new(Cell::new(None));
    let set =
        stream.set_read_timeout(Some(IDLE)).and(stream.set_write_timeout(Some(SLOW))).and(stream.set_nodelay(true));
    let mut result = Ok(());
    // Without bounds nobody is served.
    if set.is_ok() {
        let client = Client { gate, began: Rc::clone(&began) };
        let mut http = http1::Builder::new();
        // A socket that blocks is not looked at while an answer is under way.
        http.half_close(true).max_buf_size(HEAD).max_headers(64).auto_date_header(false);
        let socket = Socket { stream, began };
        result = drive(pin!(http.serve_connection(socket, client)));
    }
    if let Ok(stream) = closing {
        let _ = stream.shutdown(Shutdown::Both);
    }
    result
}

/// Wakes the thread that drives a connection.
struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Drives a connection on this thread.
fn drive<F: Future>(mut connection: Pin<&mut F>) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(result) = connection.as_mut().poll(&mut context) {
            return result;
        }
        std::thread::park_timeout(IDLE);
    }
}

/// A socket that blocks.
struct Socket {
    stream: TcpStream,
    /// When the first byte of the request came that is read now.
    began: Rc<Cell<Option<Instant>>>,
}

impl Read for Socket {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, mut to: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        let socket = self.get_mut();
        if socket.began.get().is_some_and(|began| began.elapsed() > REQUEST) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let mut bytes = [0_u8; 8 << 10];
        let most = to.remaining().min(bytes.len());
        let room = bytes.get_mut(..most).unwrap_or_default();
        let count = loop {
            match socket.stream.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        if count > 0 && socket.began.get().is_none() {
            socket.began.set(Some(Instant::now()));
        }
        to.put_slice(bytes.get(..count).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

impl Write for Socket {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.get_mut().stream.write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.get_mut().stream.shutdown(Shutdown::Write))
    }
}

/// One client.
struct Client {
    gate: Arc<Gate>,
    began: Rc<Cell<Option<Instant>>>,
}

type Answering = Pin<Box<dyn Future<Output = Result<Response<Out>, Infallible>>>>;

impl Service<hyper::Request<Incoming>> for Client {
    type Response = Response<Out>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: hyper::Request<Incoming>) -> Answering {
        let (gate, began) = (Arc::clone(&self.gate), Rc::clone(&self.began));
        let (head, body) = request.into_parts();
        Box::pin(async move {
            // Only a review has a body that anybody looks at.
            let is_read = head.method == hyper::Method::POST;
            let body = if is_read { read(body).await } else { Vec::new() };
            began.set(None);
            Ok(response(gate.answer(&head, &body)))
        })
    }
}

/// A body up to its bound; what is longer is as good as none.
async fn read(body: Incoming) -> Vec<u8> {
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let Ok(frame) = frame else { break };
        if let Ok(data) = frame.into_data() {
            bytes.extend_from_slice(&data);
        }
        if bytes.len() > BODY {
            return Vec::new();
        }
    }
    bytes
}

fn response(reply: Reply) -> Response<Out> {
    let reply = begin(reply);
    let mut response = Response::new(reply.body);
    *response.status_mut() = StatusCode::from_u16(reply.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    let content_type = HeaderValue::from_str(&reply.content_type);
    headers.insert(header::CONTENT_TYPE, content_type.unwrap_or_else(|_| HeaderValue::from_static("text/plain")));
    if let Some(location) = reply.location.and_then(|location| HeaderValue::from_str(&location).ok()) {
        headers.insert(header::LOCATION, location);
    }
    for warning in &reply.warnings {
        if let Ok(value) = HeaderValue::from_bytes(warning_of(warning).as_bytes()) {
            headers.append(header::WARNING, value);
        }
    }
    // The address holds the token, so nobody is told where a reader came from, and nothing is kept.
    let fixed: [(HeaderName, &str); 4] = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The value of a `Warning` header (RFC 9110 and 7234): kubectl prints what stands in quotes.
fn warning_of(text: &str) -> String {
    let mut value = "299 - \"".to_owned();
    for letter in text.chars() {
        if value.len() > WARNING {
            value.push('…');
            break;
        }
        match letter {
            '"' | '\\' => value.extend(['\\', letter]),
            letter if letter.is_control() => value.push(' '),
            letter => value.push(letter),
        }
    }
    value.push('"');
    value
}

/// An answer of which the beginning is there.
struct Begun {
    code: u16,
    content_type: String,
    warnings: Vec<String>,
    location: Option<String>,
    body: Out,
}

type Piece = Result<Vec<u8>, String>;

/// Begins an answer: what fails before its first piece is a refusal, and not an answer that breaks off.
fn begin(reply: Reply) -> Begun {
    let Reply { code, content_type, warnings, location, body } = reply;
    let write = match body {
        Body::Whole(bytes) => {
            return Begun { code, content_type, warnings, location, body: Out::Whole(Some(bytes.into())) };
        }
        Body::Pieces(write) => write,
    };
    let (sender, pieces) = sync_channel::<Piece>(WAITING);
    let work = move || {
        let mut send = |piece| match sender.send(Ok(piece)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        if let Err(error) = write(&mut send) {
            // Nobody reads on: then nobody has to know.
            let _ = sender.send(Err(error));
        }
    };
    let spawned = std::thread::Builder::new().name("log".to_owned()).stack_size(STACK).spawn(work);
    if spawned.is_err() {
        return begin(crate::status::failed("no thread could be started to read the log; ask again"));
    }
    match pieces.recv() {
        Ok(Ok(first)) => Begun { code, content_type, warnings, location, body: Out::Pieces(Some(first), pieces) },
        Ok(Err(error)) => begin(crate::status::failed(&error)),
        Err(_) => Begun { code, content_type, warnings, location, body: Out::Whole(None) },
    }
}

/// The body of an answer.
enum Out {
    Whole(Option<Bytes>),
    Pieces(Option<Vec<u8>>, Receiver<Piece>),
}

impl HttpBody for Out {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match self.get_mut() {
            Out::Whole(bytes) => bytes.take().map(Ok),
            Out::Pieces(first, pieces) => {
                let mut piece = match first.take() {
                    Some(first) => first,
                    None => match pieces.recv() {
                        Ok(Ok(piece)) => piece,
                        Ok(Err(error)) => return Poll::Ready(Some(Err(io::Error::other(error)))),
                        Err(_) => return Poll::Ready(None),
                    },
                };
                // Lines are short: what waits goes along.
                while piece.len() < HEAD
                    && let Ok(Ok(more)) = pieces.try_recv()
                {
                    piece.extend(more);
                }
                Some(Ok(piece.into()))
            }
        };
        Poll::Ready(next.map(|bytes| bytes.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Out::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Out::Pieces(..) => SizeHint::default(),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Out::Whole(None))
    }
}
