"""Generates bundles for the test of fleets: variations of the sample bundles, copies of some, and poison.

The same number gives the same bytes. `manifest.json` beside the bundles says what is what.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
import tarfile
import zipfile
from pathlib import Path

COPIES = 5


def marker(number: int) -> bytes:
    """What makes a bundle another one than the sample that it comes from."""
    return (
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n"
        f"  name: fleet-{number:06}\n  namespace: fleet-of-tests\n  uid: 00000000-0000-4000-8000-{number:012}\n"
    ).encode()


def archive(sample: Path, number: int) -> bytes:
    """The sample as a tarball, with a marker of its own."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1, mtime=0) as packed, tarfile.open(
        fileobj=packed, mode="w"
    ) as tar:
        files = {path.relative_to(sample).as_posix(): path.read_bytes() for path in sample.rglob("*") if path.is_file()}
        files[f"fleet-marker-{number:06}.yaml"] = marker(number)
        for name in sorted(files):
            info = tarfile.TarInfo(name)
            info.size = len(files[name])
            tar.addfile(info, io.BytesIO(files[name]))
    return out.getvalue()


def noise(size: int) -> bytes:
    """Bytes without a meaning."""
    return b"".join(hashlib.sha256(f"noise {at}".encode()).digest() for at in range(size // 32))


def poison(good: bytes) -> dict[str, bytes]:
    """Ten files that are no bundle, or hardly one; `hang` is one over which the test lets its program hang."""
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as outer:
        for at in range(8):
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as zipped:
                zipped.writestr(zipfile.ZipInfo("zeros"), bytes(40 << 20))
            outer.writestr(zipfile.ZipInfo(f"{at}.zip"), inner.getvalue())
    zeros = io.BytesIO()
    with gzip.GzipFile(fileobj=zeros, mode="wb", mtime=0) as packed:
        for _ in range(300):
            packed.write(bytes(1 << 20))
    return {
        "poison-cut-at-30.tar.gz": good[:30],
        "poison-cut-at-100.tar.gz": good[:100],
        "poison-cut-at-half.tar.gz": good[: len(good) // 2],
        "poison-no-magic.tar.gz": b"\0" * 10 + good[10:],
        "poison-bomb.zip": bomb.getvalue(),
        "poison-bomb.gz": zeros.getvalue(),
        "poison-noise.tar.gz": noise(64 << 10),
        "poison name with 100% & <b>noise.bin": noise(4 << 10),
        "poison-empty.tar.gz": b"",
        "hang.tar.gz": good,
    }


def main() -> None:
    samples, out, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    kinds = sorted(path.parent for path in samples.glob("*/expected.json"))
    out.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, dict[str, str]] = {"bundles": {}, "copies": {}, "poison": {}}
    for number in range(count):
        sample = kinds[number % len(kinds)]
        # As sites name them: folders, and letters that mean something to a shell or to a pattern of file names.
        name = f"site-{number % 7}/{sample.name} [{number:06}].tar.gz"
        path = out / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(archive(sample / "bundle", number))
        manifest["bundles"][name] = sample.name
        if number < COPIES:
            (out / f"copy-{number}.tgz").write_bytes(path.read_bytes())
            manifest["copies"][f"copy-{number}.tgz"] = name
    for name, content in poison(archive(kinds[0] / "bundle", 999_999)).items():
        (out / name).write_bytes(content)
        manifest["poison"][name] = hashlib.sha256(content).hexdigest()
    (out.parent / "manifest.json").write_text(json.dumps(manifest, indent=1))


if __name__ == "__main__":
    main()
