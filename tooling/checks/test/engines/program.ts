// Reads a file of jobs and prints their results on stdout. Node, Deno and Bun run this program.
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Jobs, answersOf } from "./answers.ts";

const jobs = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Jobs;
process.stdout.write(JSON.stringify(answersOf(jobs)));
