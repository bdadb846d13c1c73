#!/usr/bin/env node
// The command `kobo`, as npm links it. Plain JavaScript, since it starts on whatever Node the machine has (20 or newer); it
// installs and builds what is missing, as every npm command does, and hands over to the Node that comes as a package.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import '../../tools/prepare.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packaged = `${root}node_modules/.bin/node`
const node = existsSync(packaged) ? packaged : process.execPath
const child = spawn(node, [`${root}cli/src/main.ts`, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`, ...process.env },
})
// Ctrl-C reaches it too, and it decides when to end; what is sent to this process alone is passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  if (signal === null) process.exitCode = code ?? 1
  else process.kill(process.pid, signal)
})
