import { chmodSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './clear-up.ts'

/** Debian's library that gives a process another system clock. */
export const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

const FILE = 'FAKETIME_TIMESTAMP_FILE'

/** Returns the environment of programs whose clock can be set. It starts at the real time. */
export function clockEnvironment(): Readonly<Record<string, string>> {
  const folder = ownFolder('clock')
  chmodSync(folder, 0o755) // PostgreSQL may run as another account
  const file = join(folder, 'clock')
  writeFileSync(file, '+0', { mode: 0o644 })
  return {
    LD_PRELOAD: FAKETIME ?? '',
    [FILE]: file,
    // The library reads the file at each reading of the clock, and does not change timers.
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/** The variables of this process's own clock, for the programs that it starts. */
export const ownClock = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = '']) =>
      /^(LD_PRELOAD|FAKETIME)/.test(name) ? [[name, value]] : [],
    ),
  )

/** Sets the clock of this process, and of all programs that share its file, to a later moment. */
export function setClock(moment: Date): void {
  const file = process.env[FILE] ?? ''
  const ahead = Number(readFileSync(file, 'utf8')) + (moment.getTime() - Date.now()) / 1_000
  // Renamed into place, so that readers see the old or the new value.
  writeFileSync(`${file}.next`, `+${ahead.toFixed(3)}`, { mode: 0o644 })
  renameSync(`${file}.next`, file)
}
