import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { BankEffect } from '../checker/history.ts'
import { type Bank, type Booked, PARTNER } from './bank.ts'
import type { System } from './system.ts'

/** Faults by which a partner moves other money than it reports. */
const LIES = new Set(['forgetful', 'hasty no', 'wrong amount'])
/** In this many lines of a statement, one is missing and one has a wrong amount. */
const WRONG_LINES_EVERY = 200
const PAYOUT = /^KFST/
const MAPPING = {
  columns: { date: 'date', amount: 'amount', reference: 'reference', sessionId: 'session', balance: 'balance' },
}

/** The transfers of a bank with their amounts on its statement, and the exceptions, by the merchant's references. */
export interface Reconciled {
  readonly bankEffects: readonly BankEffect[]
  readonly exceptions: readonly string[]
}

interface Exception {
  readonly lines: readonly { readonly references: readonly string[] }[]
  readonly entries: readonly { readonly journal: string }[]
}

/** Imports the bank's statement, in which a few lines are wrong on purpose, and lists the exceptions. */
export async function reconcile(bank: Bank, system: Pick<System, 'databaseUrl' | 'kobo'>): Promise<Reconciled> {
  const names = await namesOf(system.databaseUrl())
  const booked = bank.transfers().map((one, nth) => ({ ...one, stated: statedOf(one, nth) }))
  return {
    bankEffects: booked
      .filter(({ reference }) => !PAYOUT.test(reference))
      .map(({ reference, amount, stated, faults }) => {
        const lie = faults.find((fault) => LIES.has(fault))
        const name = names.get(orderOf(reference)) ?? `order ${reference}`
        return { reference: name, amount, stated, ...(lie === undefined ? {} : { lie }) }
      }),
    exceptions: (await importStatement(booked, system)).map((reference) => names.get(orderOf(reference)) ?? reference),
  }
}

/** Returns the reference of an order's first attempt. */
const orderOf = (reference: string): string => reference.replace(/~\d+$/, '')

/** Returns the amount of a transfer on the statement. It is never wrong for settlement payouts. */
function statedOf({ reference, amount }: Booked, nth: number): number {
  if (PAYOUT.test(reference)) return amount
  const line = nth % WRONG_LINES_EVERY
  return line === 10 ? 0 : line === 20 ? amount + 100 : amount
}

const inNaira = (kobo: number): string => (kobo / 100).toFixed(2)

/** Imports the statement; returns the references in the exceptions. */
async function importStatement(
  booked: readonly (Booked & { readonly stated: number })[],
  { kobo }: Pick<System, 'kobo'>,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-statement-'))
  const [statement, mapping] = [join(folder, 'statement.csv'), join(folder, 'mapping.json')]
  let spent = 0
  const lines = booked.flatMap(({ day, stated, reference, sessionId }) => {
    spent += stated
    return stated === 0 ? [] : `${day},${inNaira(-stated)},${reference},${sessionId},${inNaira(-spent)}`
  })
  writeFileSync(statement, `date,amount,reference,session,balance\n${lines.join('\n')}\n`)
  writeFileSync(mapping, JSON.stringify(MAPPING))
  try {
    await kobo('statement', 'account', PARTNER, '--from', booked[0]?.day ?? '', '--opening', '0', '--mapping', mapping)
    await kobo('statement', 'import', PARTNER, statement)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const exceptions = JSON.parse(await kobo('reconcile', 'exceptions', PARTNER)) as readonly Exception[]
  return exceptions.flatMap(({ lines, entries }) => [
    ...lines.flatMap(({ references }) => references),
    ...entries.map(({ journal }) => journal.split('/')[1] ?? journal),
  ])
}

/** Returns the merchants' references of transfers, by the references of their orders. */
async function namesOf(databaseUrl: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ transaction_reference: string; reference: string }>(
      'select transaction_reference, reference from transfer',
    )
    return new Map(rows.map((row) => [row.transaction_reference, row.reference]))
  } finally {
    await client.end()
  }
}
