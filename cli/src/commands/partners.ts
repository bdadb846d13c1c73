import { parseArgs } from 'node:util'
import { type PartnerReport, selectReports } from '@kobo/gateway/core/routing/index.ts'
import { type Command, print, withDatabase } from '../command.ts'

export const partnersList: Command = {
  usage: '',
  summary: 'Lists the partners that are connected: what they can do, how they do, and when they were last heard',
  details: `
Prints JSON, as the gateways that run have told within the last half minute; nothing where none runs. A breaker that is open
lets nothing new be sent to a partner for 30 seconds; then one tries. What was sent is asked about all the same.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withDatabase(around, async (db) => {
      const byPartner = Map.groupBy(await selectReports(db), ({ partner }) => partner)
      print(
        around,
        [...byPartner].map(([code, reports]) => show(code, reports)),
      )
      return 0
    })
  },
}

function show(code: string, reports: readonly PartnerReport[]) {
  const heard = reports.flatMap(({ lastHeardAt }) => lastHeardAt ?? [])
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
    lastHeardAt: heard.length === 0 ? null : new Date(Math.max(...heard.map(Number))),
  }
}
