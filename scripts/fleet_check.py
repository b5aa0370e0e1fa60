"""Runs integrations/spark over generated bundles in a small cluster of Spark, kills an executor while it runs, and
checks that every bundle is there exactly once.

    fleet_check.py CASEFILE FOLDER      FOLDER is what fleet_bundles.py wrote: bundles/ and manifest.json
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "integrations" / "spark"))

import casefile_spark  # noqa: E402
import fleet_bundles  # noqa: E402
import pyspark  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

# Long enough for a sound bundle on a busy machine.
MAX_TIME = 300
KILL_AFTER = 60


def same(what: str, seen: object, wanted: object) -> None:
    if seen != wanted:
        sys.exit(f"{what}: {seen}, expected {wanted}")
    print(f"  {what}: {seen}")


def cluster() -> SparkSession:
    """Two workers with one executor each, every one a process of its own."""
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("casefile fleet")
    settings = {
        "spark.executor.memory": "1024m",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.sparkContext.addPyFile(str(ROOT / "integrations" / "spark" / "casefile_spark.py"))
    return spark


def program(casefile: str, folder: Path) -> str:
    """Casefile, except that it hangs over a file of that name."""
    path = folder / "casefile-that-hangs"
    path.write_text(f'#!/bin/sh\ncase "$2" in */hang.tar.gz) exec sleep 600 ;; esac\nexec "{casefile}" "$@"\n')
    path.chmod(0o755)
    return str(path)


class Killer(threading.Thread):
    """Kills one executor of this application once a quarter of the bundles is through."""

    def __init__(self, spark: SparkSession, parts: int) -> None:
        super().__init__(daemon=True)
        self.context = spark.sparkContext
        self.parts = parts
        self.killed_after: int | None = None
        self.stop = False

    def executors(self) -> list[int]:
        application = self.context.applicationId
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in words and application in words:
                found.append(int(process.name))
        return sorted(found)

    def run(self) -> None:
        tracker = self.context.statusTracker()
        while not self.stop:
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                through = info is not None and info.numTasks == self.parts and info.numCompletedTasks
                if through and through >= self.parts // 4 and info.numActiveTasks > 1:
                    executors = self.executors()
                    if len(executors) == 2:
                        os.kill(executors[0], signal.SIGKILL)
                        self.killed_after = through
                        return
            time.sleep(0.05)


def rows(spark: SparkSession, out: Path, table: str) -> DataFrame:
    return spark.read.parquet(f"{out}/{table}")


def check(spark: SparkSession, out: Path, bundles: Path, manifest: dict) -> None:
    """Every file once, every bundle once, nothing lost."""
    files = {f"file:{path}" for path in bundles.rglob("*") if path.is_file()}
    inputs = rows(spark, out, "inputs").collect()
    same("rows of files", len(inputs), len(files))
    same("files that have a row", {row.file for row in inputs} == files, True)
    by_name = {row.file.removeprefix(f"file:{bundles}/"): row for row in inputs}
    good = [by_name[name] for name in manifest["bundles"]]
    same("bundles without a result", [row.file for row in good if row.bundle_id is None], [])
    ids = {row.bundle_id for row in good}
    same("distinct bundles among the good ones", len(ids), len(good))
    for copy, name in manifest["copies"].items():
        if by_name[copy].bundle_id != by_name[name].bundle_id:
            sys.exit(f"{copy} is not the bundle that {name} is")
    codes = {name: by_name[name].exit_code for name in manifest["poison"]}
    same("exit code of what hangs", codes.pop("hang.tar.gz"), casefile_spark.TIMED_OUT)
    # Half an archive still tells something.
    same("exit code of half an archive", codes.pop("poison-cut-at-half.tar.gz"), 0)
    same("exit codes of the other poison", sorted(set(codes.values())), [3])
    ids.add(by_name["poison-cut-at-half.tar.gz"].bundle_id)
    table = rows(spark, out, "bundles")
    same("rows of bundles", table.count(), len(ids))
    same("bundles that have a row", {row.bundle_id for row in table.collect()} == ids, True)
    findings = rows(spark, out, "findings")
    twice = findings.groupBy("bundle_id", "finding").count().where("count > 1").count()
    same("findings that are there twice", twice, 0)
    of_sample: dict[str, set] = {}
    found: dict[str, list] = {}
    for row in findings.select("bundle_id", "signature", "verdict").collect():
        found.setdefault(row.bundle_id, []).append((row.signature, row.verdict))
    for name, sample in manifest["bundles"].items():
        of_sample.setdefault(sample, set()).add(tuple(sorted(found.get(by_name[name].bundle_id, []))))
    same("samples whose variations differ", [sample for sample, all_of in of_sample.items() if len(all_of) != 1], [])
    same("rows without a time of the bundle", table.where("as_of is null").count() < table.count(), True)


def fleet(casefile: str, out: Path, files: int, bundles: int, failed: int) -> None:
    """What `casefile fleet` says of it."""
    said = subprocess.run([casefile, "fleet", str(out), "--format", "json"], check=True, capture_output=True)
    told = json.loads(said.stdout)
    same("fleet: files, bundles, failed", [told["files"], told["bundles"], told["failed"]], [files, bundles, failed])
    same("fleet: left out", told["skipped"], [])
    page = out.parent / "fleet.html"
    page.unlink(missing_ok=True)
    subprocess.run([casefile, "fleet", str(out), "-o", str(page)], check=True, capture_output=True)
    print(f"  page: {page.stat().st_size} bytes")


def main() -> None:
    casefile, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
    bundles, out = folder / "bundles", folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    manifest = json.loads((folder / "manifest.json").read_text())
    files = sum(len(names) for names in manifest.values())
    spark = cluster()
    line = [str(bundles), str(out), "--casefile", program(casefile, folder), "--max-time", str(MAX_TIME)]
    line += ["--kill-after", str(KILL_AFTER)]
    args = casefile_spark.arguments(line)
    killer = Killer(spark, -(-files // args.per_task))
    killer.start()
    start = time.monotonic()
    counts = casefile_spark.run(spark, args)
    killer.stop = True
    print(f"{counts} in {time.monotonic() - start:.0f} s; an executor was killed after {killer.killed_after} tasks")
    if killer.killed_after is None:
        sys.exit("no executor was killed, so nothing is known of what happens then; use more bundles")
    check(spark, out, bundles, manifest)
    expected = len(manifest["bundles"]) + 1
    fleet(casefile, out, files, expected, len(manifest["poison"]) - 1)

    print("the same again: nothing is new")
    same("counts", casefile_spark.run(spark, args), {"files": 0, "results": 0, "new": 0})
    print("a copy and a new one, read by Spark; an empty file, which Spark does not hand over")
    late = bundles / "late"
    late.mkdir(exist_ok=True)
    name, sample = next(iter(manifest["bundles"].items()))
    shutil.copyfile(bundles / name, late / "copy [1].tgz")
    (late / "{new}*.tgz").write_bytes(fleet_bundles.archive(ROOT / "sample-bundles" / sample / "bundle", 900_000))
    (late / "_empty.tgz").write_bytes(b"")
    args.read = "content"
    same("counts", casefile_spark.run(spark, args), {"files": 3, "results": 2, "new": 1})
    fleet(casefile, out, files + 3, expected + 1, len(manifest["poison"]))
    print(f"rows by table: {[(table, rows(spark, out, table).select(F.lit(1)).count()) for table in TABLES]}")
    spark.stop()
    shutil.rmtree(late)


TABLES = ["inputs", "bundles", "versions", "findings", "object_counts", "coverage"]

if __name__ == "__main__":
    main()
