"""Runs Casefile over every file of a folder that all machines see, as tasks of Ray, into another such folder.

Casefile writes the tables itself, a file for each bundle under its hash, so a bundle counts once and a task that is
tried again changes nothing. A file is done when its own row in `inputs` is there.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import ray


@ray.remote(max_retries=5)
def one(casefile: str, file: Path, out: Path, row: Path, max_time: int) -> bool:
    """Hands over one file, and writes down what became of it; whether there is a result."""
    command = [casefile, "export", str(file), "--tables", "fleet", "--format", "jsonl", "--to", "."]
    try:
        run = subprocess.run(
            [*command, "--max-time", str(max_time)], cwd=out, capture_output=True, text=True, timeout=2 * max_time + 10
        )
        # A signal, as shells tell it.
        code, said = (run.returncode if run.returncode >= 0 else 128 - run.returncode), run.stderr.strip()[-2000:]
    except subprocess.TimeoutExpired:
        code, said = 124, "ended because it took too long"
    told = {"table": "inputs", "file": str(file), "exit_code": code, "message": said if code else None}
    if code == 0:
        # `./bundles/<id>.jsonl: 1 rows`
        told["bundle_id"] = Path(run.stdout.split(".jsonl: ")[0]).name
    new = row.with_name(f".{row.name}")
    new.write_text(json.dumps({name: value for name, value in told.items() if value is not None}) + "\n")
    new.rename(row)
    return code == 0


def main(bundles: str, results: str, casefile: str = "./casefile", max_time: str = "300") -> None:
    out = Path(results).resolve()
    (out / "inputs").mkdir(parents=True, exist_ok=True)
    tasks = []
    for file in sorted(path for path in Path(bundles).resolve().rglob("*") if path.is_file()):
        stat = file.stat()
        row = (
            out / "inputs" / f"{hashlib.sha256(f'{file} {stat.st_size} {stat.st_mtime_ns}'.encode()).hexdigest()}.jsonl"
        )
        if not row.exists():
            tasks.append(one.remote(str(Path(casefile).resolve()), file, out, row, int(max_time)))
    results_of = ray.get(tasks)
    print(f"{len(results_of)} new files: {sum(results_of)} with a result, {len(results_of) - sum(results_of)} without")


if __name__ == "__main__":
    main(*sys.argv[1:])
