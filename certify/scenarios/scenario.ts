import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@kobo/gateway/features/sandbox/random.ts'
import { signalAll } from '../../deploy/ha/processes.ts'
import type { Receiver } from '../system/receiver.ts'
import type { System } from '../system/system.ts'

/** The system under load in which a scenario causes a fault. */
export interface Stage<Broken extends System = System> {
  readonly system: Broken
  readonly receiver: Receiver
  readonly random: Random
  /** Reports that a promise is broken. */
  readonly report: (promise: string, what: string) => void
}

/** A scenario causes a fault, and repairs it before `play` resolves. */
export interface Scenario<Broken extends System = System> {
  readonly name: string
  /** The program that it needs, and its Debian package. */
  readonly needs?: readonly [program: string, packageName: string]
  /** Why it cannot run here, apart from a missing program. */
  readonly whyNot?: () => string | undefined
  /** Whether it never runs at the same time as another scenario. */
  readonly isAlone?: boolean
  readonly play: (stage: Stage<Broken>) => Promise<void>
}

export const SECONDS = 1_000

export const pick = <One>(random: Random, all: readonly One[]): One => random.of(all as [One, ...One[]])

/** Returns a random time in milliseconds, between two bounds in seconds. */
export const between = (random: Random, least: number, most: number): number =>
  (least + random.part() * (most - least)) * SECONDS

/** Pauses processes for some time (SIGSTOP). */
export async function frozen(pids: readonly number[], milliseconds: number): Promise<void> {
  signalAll(pids, 'SIGSTOP')
  await pause(milliseconds)
  signalAll(pids, 'SIGCONT')
}

/** Returns why a scenario cannot run here; undefined if it can. */
export function missingFor({ name, needs, whyNot }: Pick<Scenario, 'name' | 'needs' | 'whyNot'>): string | undefined {
  const why = whyNot?.()
  if (why !== undefined) return `${name}: ${why}`
  return needs === undefined || spawnSync('which', [needs[0]]).status === 0
    ? undefined
    : `${name}: ${needs[0]} is not installed (Debian: ${needs[1]})`
}

/** Returns a scenario that plays two scenarios at the same time. */
export const together = <Broken extends System>(one: Scenario<Broken>, other: Scenario<Broken>): Scenario<Broken> => ({
  name: `${one.name} + ${other.name}`,
  play: async (stage) => {
    await Promise.all([one.play(stage), other.play(stage)])
  },
})
