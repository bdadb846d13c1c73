import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, secondsAfter, wallClock } from '../../src/kernel/clock.ts'
import { ownFolder } from './clear-up.ts'

/** Real time that a test moves ahead, for gateways of this process and for programs next to it. */
export interface MovingClock {
  readonly wall: Clock
  /** The environment of a program that uses this clock. */
  readonly env: NodeJS.ProcessEnv
  readonly advance: (seconds: number) => void
}

export function movingClock(): MovingClock {
  const folder = ownFolder('clock')
  const [file, next] = [join(folder, 'ahead'), join(folder, 'next')]
  let ahead = 0
  const advance = (seconds: number): void => {
    ahead += seconds
    // Renamed into place, so that readers see the old or the new value.
    writeFileSync(next, String(ahead))
    renameSync(next, file)
  }
  advance(0)
  return {
    wall: { now: () => secondsAfter(wallClock.now(), ahead) },
    env: {
      NODE_OPTIONS: `--import=${new URL('skewed-clock.ts', import.meta.url).href}`,
      KOBO_TEST_CLOCK_FILE: file,
    },
    advance,
  }
}
