"""Runs Casefile over every bundle below a folder, as a step of Apache Spark.

Files in, Parquet out: the tables that `casefile fleet` reads, and `inputs`, one row for each file with its exit code
and message. The README beside this file says how to run it, docs/fleets.md what it guarantees.

Invariants: a bundle that cannot be read is a row and never the end of the job; a file has one row, however often its
task is tried again; a bundle counts once, under whatever names it lies there; `inputs` is written last, so a run that
was broken off leaves nothing that the next one does not write anew.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from urllib.parse import urlparse

from pyspark import SparkFiles
from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

# What Spark can hand over of one file: an array of Java.
LARGEST_CONTENT = 2_000_000_000
# Bytes of the rows of one bundle, and of its last words.
LARGEST_RESULT = 256 << 20
LARGEST_MESSAGE = 2_000
# As `timeout` of the shell ends.
TIMED_OUT = 124
# A signal as shells tell it.
SIGNALLED = 128

TYPES: dict[str, T.DataType] = {
    "text": T.StringType(),
    "number": T.LongType(),
    "time": T.TimestampType(),
    "truth": T.BooleanType(),
}
FILE = [
    T.StructField("file", T.StringType()),
    T.StructField("length", T.LongType()),
    T.StructField("modified", T.TimestampType()),
]
KEYS = [field.name for field in FILE]
RAN = [
    T.StructField("bundle_id", T.StringType()),
    T.StructField("exit_code", T.LongType()),
    T.StructField("message", T.StringType()),
    T.StructField("seconds", T.DoubleType()),
]
BATCH = T.StructField("batch", T.IntegerType())
INPUTS = T.StructType([*FILE, *RAN, BATCH])
WORK = T.StructType([*FILE, *RAN, T.StructField("lines", T.ArrayType(T.StringType()))])


@dataclass(frozen=True)
class Step:
    """How Casefile is run for one bundle."""

    program: str
    max_time: int
    max_memory: str
    kill_after: int

    def run(self, path: str) -> tuple[str | None, int, str, list[str]]:
        """The id of the bundle, the exit code, the last words and the rows, as lines of JSON."""
        command = [SparkFiles.get(self.program), "export", path, "--tables", "fleet", "--format", "jsonl", "--to", "-"]
        command += ["--max-time", str(self.max_time), "--max-memory", self.max_memory]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                # Casefile ends by itself after twice its time.
                code = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=self.kill_after
                ).returncode
            except subprocess.TimeoutExpired:
                return None, TIMED_OUT, f"killed after {self.kill_after} seconds; raise --max-time or --kill-after", []
            except OSError as error:
                return None, 126, f"cannot run Casefile: {error}", []
            if code != 0:
                code = SIGNALLED - code if code < 0 else code
                return None, code, last_words(err, code), []
            if os.fstat(out.fileno()).st_size > LARGEST_RESULT:
                return None, 4, f"its rows take more than {LARGEST_RESULT >> 20} MiB", []
            out.seek(0)
            lines = out.read().decode("utf-8", "replace").splitlines()
        return json.loads(lines[0])["bundle_id"], 0, "", lines


def last_words(err: tempfile._TemporaryFileWrapper, code: int) -> str:
    """The end of what a run wrote to standard error."""
    err.seek(max(0, err.seek(0, os.SEEK_END) - LARGEST_MESSAGE))
    text = err.read().decode("utf-8", "replace").strip()
    return text or f"Casefile ended with {code} and said nothing; it may have had no memory left"


def one(step: Step, file: Row) -> tuple:
    """The row of one file; it never fails."""
    start = time.monotonic()
    try:
        if "content" not in file:
            result = step.run(local_path(file.file) or file.file)
        else:
            with tempfile.TemporaryDirectory(prefix="casefile-") as folder:
                path = os.path.join(folder, os.path.basename(file.file) or "bundle")
                with open(path, "wb") as out:
                    out.write(file.content)
                result = step.run(path)
    except Exception as error:  # Whatever it is, it is the row of this file.
        result = None, 4, f"{type(error).__name__}: {error}"[:LARGEST_MESSAGE], []
    bundle, code, message, lines = result
    return file.file, file.length, file.modified, bundle, code, message, time.monotonic() - start, lines


def local_path(url: str) -> str | None:
    """The path of a file that every machine sees under the same name, or None if it lies in object storage."""
    scheme = urlparse(url).scheme
    if scheme not in ("", "file"):
        return None
    return re.sub(r"^file:/*", "/", url)


def schemas(program: str) -> dict[str, T.StructType]:
    """The tables that Casefile writes, as it tells them."""
    told = json.loads(subprocess.run([program, "schema", "tables"], check=True, capture_output=True).stdout)
    struct = {
        table: T.StructType([T.StructField(name, TYPES[of]) for name, of in columns.items()])
        for table, columns in told["tables"].items()
    }
    # The bundles last: a bundle whose row is there has all its rows.
    return {table: struct[table] for table in sorted(struct, key=lambda table: (table == "bundles", table))}


class Storage:
    """A folder in the file system or the object storage that its URL names, as Spark reaches it."""

    def __init__(self, spark: SparkSession, url: str) -> None:
        context = spark.sparkContext
        self.path = context._jvm.org.apache.hadoop.fs.Path(url)
        self.system = self.path.getFileSystem(context._jsc.hadoopConfiguration())

    def exists(self) -> bool:
        return self.system.exists(self.path)

    def delete(self) -> None:
        self.system.delete(self.path, True)

    def files(self, glob: str) -> Iterator[tuple[str, int, datetime]]:
        """Every file below it. Spark's own list has none that are empty, or whose names begin with `_` or `.`."""
        found = self.system.listFiles(self.path, True)
        while found.hasNext():
            status = found.next()
            path = status.getPath()
            if fnmatch.fnmatchcase(path.getName(), glob):
                modified = datetime.fromtimestamp(status.getModificationTime() // 1000, timezone.utc)
                yield path.toString(), status.getLen(), modified


def standing(spark: SparkSession, path: str, schema: T.StructType) -> DataFrame:
    """The rows of a table of earlier runs; none if there was no run."""
    if Storage(spark, path).exists():
        return spark.read.schema(schema).parquet(path)
    return spark.createDataFrame([], schema)


def as_no_pattern(path: str) -> str:
    """A path whose letters mean themselves, also those that would match others."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", path)


def with_contents(spark: SparkSession, files: DataFrame) -> DataFrame:
    """The files with what they hold; without those that Spark does not hand over."""
    small = [as_no_pattern(row.file) for row in files.where(F.col("length") <= LARGEST_CONTENT).collect()]
    if not small:
        return files.limit(0).withColumn("content", F.lit(None).cast(T.BinaryType()))
    contents = spark.read.format("binaryFile").load(small).select(F.col("path").alias("file"), "content")
    return contents.join(F.broadcast(files), "file").select(*KEYS, "content")


def not_handed_over(files: DataFrame, work: DataFrame) -> DataFrame:
    """A row for each file that has none: nobody may be lost."""
    missing = files.join(work.select("file"), "file", "left_anti").select(KEYS)
    said = "Spark did not hand it over: it is empty, larger than 2 GB, or its name begins with _ or ."
    values = {
        "bundle_id": None,
        "exit_code": 4,
        "message": f"{said}; give a folder that every machine sees",
        "seconds": 0,
    }
    return missing.select(*KEYS, *(F.lit(values[field.name]).cast(field.dataType).alias(field.name) for field in RAN))


def run(spark: SparkSession, args: argparse.Namespace) -> dict[str, int]:
    """Hands over what is new; how many files, results and new bundles there were."""
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    out = args.out.rstrip("/")
    tables = schemas(args.casefile)
    done = standing(spark, f"{out}/inputs", INPUTS)
    batch = (done.agg(F.max("batch")).first()[0] or 0) + 1
    bundles = spark.createDataFrame(list(Storage(spark, args.bundles).files(args.glob)), T.StructType(FILE))
    files = bundles.join(done.select(KEYS), KEYS, "left_anti").cache()
    count = files.count()
    if count == 0:
        return {"files": 0, "results": 0, "new": 0}
    spark.sparkContext.addFile(args.casefile)
    step = Step(os.path.basename(args.casefile), args.max_time, args.max_memory, args.kill_after)
    by_path = args.read == "path" or (args.read == "auto" and local_path(args.bundles) is not None)
    handed = files.repartition(-(-count // args.per_task)) if by_path else with_contents(spark, files)

    def part(rows: Iterator[Row]) -> Iterator[tuple]:
        return (one(step, row) for row in rows)

    # Written down before it is looked at: what ran once is not run again for each table.
    work_path = f"{out}/_work/batch={batch}"
    spark.createDataFrame(handed.rdd.mapPartitions(part), WORK).write.mode("overwrite").parquet(work_path)
    work = spark.read.schema(WORK).parquet(work_path)
    known = standing(spark, f"{out}/bundles", T.StructType([*tables["bundles"], BATCH])).where(F.col("batch") < batch)
    first = F.row_number().over(Window.partitionBy("bundle_id").orderBy("file"))
    fresh = work.where("bundle_id is not null").withColumn("first", first).where("first = 1")
    fresh = fresh.join(known.select("bundle_id"), "bundle_id", "left_anti")
    lines = fresh.select(F.explode("lines").alias("line"))
    for table, schema in tables.items():
        rows = lines.where(F.col("line").startswith(f'{{"table":"{table}",'))
        rows = rows.select(F.from_json("line", schema).alias("row")).select("row.*")
        rows.write.mode("overwrite").parquet(f"{out}/{table}/batch={batch}")
    inputs = work.drop("lines").unionByName(not_handed_over(files, work))
    inputs.write.mode("overwrite").parquet(f"{out}/inputs/batch={batch}")
    inputs = spark.read.parquet(f"{out}/inputs/batch={batch}")
    counts = inputs.agg(F.count("*"), F.count("bundle_id")).first()
    new = spark.read.parquet(f"{out}/bundles/batch={batch}").count()
    Storage(spark, f"{out}/_work").delete()
    return {"files": counts[0], "results": counts[1], "new": new}


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Runs Casefile over every bundle below a folder.")
    parser.add_argument("bundles", help="a folder, or the URL of one in object storage; each file in it is a bundle")
    parser.add_argument("out", help="where the tables go; give the same one again, and only what is new is run")
    parser.add_argument("--casefile", default="./casefile", help="the program; it is sent to each executor")
    parser.add_argument("--glob", default="*", help="names of files that are bundles")
    parser.add_argument("--max-time", type=int, default=300, help="seconds for reading one bundle")
    parser.add_argument("--kill-after", type=int, help="seconds for one bundle at all [default: twice that and ten]")
    parser.add_argument("--max-memory", default="1GiB", help="bytes that what is read of one bundle may take")
    parser.add_argument(
        "--per-task", type=int, default=4, help="bundles of one task: what a lost executor costs at most"
    )
    parser.add_argument(
        "--read",
        choices=["auto", "path", "content"],
        default="auto",
        help="path: each executor opens the file itself; content: Spark reads it, up to 2 GB; auto: path for file:",
    )
    args = parser.parse_args(argv)
    if args.kill_after is None:
        args.kill_after = 2 * args.max_time + 10
    inside = (args.out.rstrip("/") + "/").startswith(args.bundles.rstrip("/") + "/")
    if inside:
        parser.error("the results cannot lie among the bundles; name another folder for them")
    return args


def main() -> int:
    args = arguments()
    spark = SparkSession.builder.appName("casefile").getOrCreate()
    counts = run(spark, args)
    without = counts["files"] - counts["results"]
    print(f"{counts['files']} new files: {counts['results']} with a result, {without} without")
    print(f"{counts['new']} new bundles")
    print(f"next: casefile fleet {args.out} -o fleet.html")
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
