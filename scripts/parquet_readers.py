"""Reads what `casefile export` wrote with DuckDB, pandas and, if there is a Java, Spark: rows, types and times."""

import glob
import os
import sys

folder, expected, with_spark = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "yes"


def same(reader, what, seen, wanted):
    if seen != wanted:
        sys.exit(f"{reader}: {what} is {seen}, expected {wanted}")


import duckdb

for table in sorted(os.listdir(folder)):
    count = duckdb.sql(f"select count(*) from read_parquet('{folder}/{table}/*.parquet')").fetchall()[0][0]
    if count == 0:
        sys.exit(f"DuckDB: {table} has no row, and a table without rows is not written")
same("DuckDB", "rows of objects", duckdb.sql(f"select count(*) from '{folder}/objects/*.parquet'").fetchall()[0][0], expected)
same("DuckDB", "bundles", duckdb.sql(f"select count(distinct bundle_id) from '{folder}/objects/*.parquet'").fetchall()[0][0], 3)
kinds = dict(duckdb.sql(f"select column_name, column_type from (describe select * from '{folder}/logs/*.parquet')").fetchall())
same("DuckDB", "type of time", kinds["time"], "TIMESTAMP WITH TIME ZONE")
same("DuckDB", "type of line", kinds["line"], "BIGINT")

import pandas

frames = [pandas.read_parquet(path) for path in glob.glob(f"{folder}/objects/*.parquet")]
objects = pandas.concat(frames)
same("pandas", "rows of objects", len(objects), expected)
same("pandas", "type of created", str(objects["created"].dt.tz), "UTC")
same("pandas", "first column", list(objects.columns)[0], "bundle_id")

if with_spark:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    objects = spark.read.parquet(f"{folder}/objects")
    same("Spark", "rows of objects", objects.count(), expected)
    same("Spark", "type of created", dict(objects.dtypes)["created"], "timestamp")
    pods = spark.read.parquet(f"{folder}/pods")
    same("Spark", "a negative number of restarts", pods.filter("restarts < 0").count(), 0)
    spark.stop()

print("read by DuckDB, pandas" + (" and Spark" if with_spark else "") + f": {expected} objects of 3 bundles")
