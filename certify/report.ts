import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Findings, Row } from './certify.ts'
import { CHECKS } from './checker/check.ts'
import type { Outcome } from './checker/history.ts'

interface Times {
  readonly seed: number
  readonly startedAt: Date
  readonly endedAt: Date
}

export interface Report extends Findings {
  readonly version: string
  readonly commit: string
  readonly node: string
  readonly machine: string
  /** The names and versions of the databases and programs that were used. */
  readonly programs: readonly string[]
  readonly seed: number
  readonly startedAt: string
  readonly minutes: number
  /** The number of violations of each promise. */
  readonly promises: Readonly<Record<string, number>>
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SHOWN_MAX = 50

export function reportOf(parts: readonly Findings[], { seed, startedAt, endedAt }: Times): Report {
  const findings = joined(parts)
  const names = new Set([
    ...CHECKS.map(({ promise }) => promise),
    'The books are right',
    '`kobo ledger verify` finds nothing',
    ...findings.violations.map(({ promise }) => promise),
  ])
  const count = (name: string): number => findings.violations.filter(({ promise }) => promise === name).length
  return {
    version: (JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }).version,
    commit: commitOf(),
    node: process.version,
    machine: `${platform()} ${arch()}, ${cpus().length} cores`,
    programs: [...new Set(findings.databases), ...versionsOf()],
    seed,
    startedAt: startedAt.toISOString(),
    minutes: Math.round((endedAt.getTime() - startedAt.getTime()) / 6_000) / 10,
    promises: Object.fromEntries([...names].map((name) => [name, count(name)])),
    ...findings,
  }
}

/** Joins the findings of several runs. */
function joined(parts: readonly Findings[]): Findings {
  const operations: Record<string, Readonly<Record<Outcome, number>>> = {}
  for (const [kind, { ok, failed, unknown }] of parts.flatMap((part) => Object.entries(part.operations))) {
    const sum = operations[kind] ?? { ok: 0, failed: 0, unknown: 0 }
    operations[kind] = { ok: sum.ok + ok, failed: sum.failed + failed, unknown: sum.unknown + unknown }
  }
  const total = (count: (part: Findings) => number): number => parts.reduce((sum, part) => sum + count(part), 0)
  return {
    rows: parts.flatMap(({ rows }) => rows),
    skipped: parts.flatMap((part) => part.skipped),
    operations,
    events: {
      received: total(({ events }) => events.received),
      repeated: total(({ events }) => events.repeated),
    },
    violations: parts.flatMap(({ violations }) => violations),
    notes: parts.flatMap(({ notes }) => notes),
    databases: parts.flatMap(({ databases }) => databases),
  }
}

const PROGRAMS = [
  ['patroni', '--version'],
  ['etcd', '--version'],
  ['haproxy', '-v'],
  ['nft', '--version'],
  ['strace', '--version'],
] as const

function versionsOf(): readonly string[] {
  return PROGRAMS.flatMap(([program, option]) => {
    const { status, stdout } = spawnSync(program, [option], { encoding: 'utf8' })
    const version = /\d+(\.\d+)+/.exec(stdout ?? '')
    return status === 0 && version !== null ? `${program} ${version[0]}` : []
  })
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const cellsOf = ({ scenario, seconds, secondsWithoutSuccess, outcomes: { ok, failed, unknown } }: Row) => [
  scenario,
  seconds.toFixed(0),
  secondsWithoutSuccess.toFixed(1),
  ok,
  failed,
  unknown,
]

export function reportText(report: Report): string {
  const { version, commit, node, machine, seed, startedAt, minutes, rows, skipped, operations, events } = report
  const { violations, promises, programs } = report
  const counts = Object.entries(operations).map(([kind, { ok, failed, unknown }]) => [
    kind,
    ok + failed + unknown,
    ok,
    failed,
    unknown,
  ])
  const shown = violations.slice(0, SHOWN_MAX).map(({ promise, what }) => `- ${promise}: ${what}`)
  const parts = [
    '# Under fire',
    `Kobo ${version} (${commit}), Node ${node}, ${[machine, ...programs].join(', ')}. Seed ${seed}, ${minutes} minutes from ${startedAt}.`,
    violations.length === 0 ? 'Nothing was lost, duplicated or invented.' : `**Violations: ${violations.length}**`,
    ...(shown.length === 0 ? [] : [shown.join('\n')]),
    '## Promises',
    table(['promise', 'violations'], Object.entries(promises)),
    '## Operations',
    table(['operation', 'tried', 'ok', 'failed', 'unknown'], counts),
    `${events.received} webhooks arrived, ${events.repeated} of them again.`,
    '## Scenarios',
    table(['scenario', 'seconds', 'seconds without a successful write', 'ok', 'failed', 'unknown'], rows.map(cellsOf)),
    ...report.notes,
    ...(skipped.length === 0 ? [] : [`Skipped:\n\n${skipped.map((why) => `- ${why}`).join('\n')}`]),
  ]
  return `${parts.join('\n\n')}\n`
}
