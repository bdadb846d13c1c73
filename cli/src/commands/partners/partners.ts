import { parseArgs } from 'node:util'
import { type PartnerReport, selectReports } from '@kobo/gateway/core/routing/index.ts'
import { type Command, print, withDatabase } from '../../command.ts'

export const partnersList: Command = {
  usage: '',
  summary: 'Lists the connected partners: capabilities, health, and when each last responded',
  details: `
Prints JSON, as reported by running gateways in the last 30 seconds; empty if none is running. While a circuit breaker is open,
nothing new is sent to the partner for 30 seconds; then one request tests it. Orders already sent are still queried.
lastHeardAt is the last response or notification; the manifest does not count.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withDatabase(context, async (db) => {
      const byPartner = Map.groupBy(await selectReports(db), ({ partner }) => partner)
      print(
        context,
        [...byPartner].map(([code, reports]) => show(code, reports)),
      )
      return 0
    })
  },
}

function show(code: string, reports: readonly PartnerReport[]) {
  const contacts = reports.flatMap(({ lastHeardAt }) => lastHeardAt ?? [])
  const newest = reports.reduce((one, other) => (other.toldAt > one.toldAt ? other : one))
  const breakers = Map.groupBy(
    reports.flatMap((report) => report.breakers),
    ({ operation }) => operation,
  )
  return {
    code,
    protocol: newest.protocol,
    capabilities: newest.capabilities,
    health: breakers.size === 0 ? 'well' : 'unwell',
    breakers: [...breakers].map(([operation, open]) => ({
      operation,
      state: open.some(({ state }) => state === 'open') ? 'open' : 'trying',
      nodes: open.length,
    })),
    nodes: reports.length,
    lastHeardAt: contacts.length === 0 ? null : new Date(Math.max(...contacts.map(Number))),
  }
}
