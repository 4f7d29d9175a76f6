// Reads a file of jobs and prints the results on stdout: the program for Deno and Bun.
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Jobs, answersOf } from "./answers.ts";

const jobs = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Jobs;
process.stdout.write(JSON.stringify(answersOf(jobs)));
