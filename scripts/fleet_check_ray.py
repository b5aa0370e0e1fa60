"""Runs integrations/ray over a handful of the generated bundles, and checks that each is there once.

fleet_check_ray.py CASEFILE FOLDER      FOLDER is what fleet_bundles.py wrote: bundles/ and manifest.json
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOME = 8


def run(casefile: str, folder: Path) -> str:
    program = ROOT / "integrations" / "ray" / "casefile_ray.py"
    command = [sys.executable, str(program), str(folder / "few"), str(folder / "ray"), casefile, "300"]
    environment = {**os.environ, "RAY_DEDUP_LOGS": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment)
    if ended.returncode != 0:
        sys.exit(f"the program for Ray ended with {ended.returncode}: {ended.stderr[-2000:]}")
    return ended.stdout.strip().splitlines()[-1]


def same(what: str, seen: object, wanted: object) -> None:
    if seen != wanted:
        sys.exit(f"Ray: {what}: {seen}, expected {wanted}")
    print(f"  Ray: {what}: {seen}")


def main() -> None:
    casefile, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
    manifest = json.loads((folder / "manifest.json").read_text())
    for place in ("few", "ray"):
        shutil.rmtree(folder / place, ignore_errors=True)
    good = list(manifest["bundles"])[:SOME]
    poison = ["poison-empty.tar.gz", "poison-noise.tar.gz", "poison-cut-at-30.tar.gz"]
    for name in [*good, *manifest["copies"], *poison]:
        (folder / "few" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "bundles" / name, folder / "few" / name)
    files, without = SOME + len(manifest["copies"]) + len(poison), len(poison)
    same("first run", run(casefile, folder), f"{files} new files: {files - without} with a result, {without} without")
    same("second run", run(casefile, folder), "0 new files: 0 with a result, 0 without")
    said = subprocess.run([casefile, "fleet", str(folder / "ray"), "--format", "json"], check=True, capture_output=True)
    told = json.loads(said.stdout)
    same("left out", told["skipped"], [])
    same("files, bundles, failed", [told["files"], told["bundles"], told["failed"]], [files, SOME, without])


if __name__ == "__main__":
    main()
