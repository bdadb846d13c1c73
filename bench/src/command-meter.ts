import { writeFileSync } from 'node:fs'
import process from 'node:process'
import pg from 'pg'

/** Loaded before a command: writes down what its process used, and how many statements it had PostgreSQL carry out. */
const { prototype } = pg.Connection as unknown as { prototype: { execute: (...args: unknown[]) => void } }
const execute = prototype.execute
let statements = 0
prototype.execute = function (...args) {
  statements++
  execute.apply(this, args)
}
process.on('exit', () => {
  const file = new URL(import.meta.url).searchParams.get('into')
  const used = { maxRssKilobytes: process.resourceUsage().maxRSS, statements }
  if (file !== null) writeFileSync(file, JSON.stringify(used))
})
