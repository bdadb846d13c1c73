import process from 'node:process'
import { runCommand } from './run.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
})
