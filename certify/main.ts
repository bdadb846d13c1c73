import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { certify } from './certify.ts'
import { reportOf, reportText } from './report.ts'
import { SCENARIOS } from './scenarios.ts'

const HELP = `Puts real gateways and a real PostgreSQL under load, breaks them, and checks that nothing was lost or doubled.

Usage: npm run certify                           all scenarios, then pairs of them, for half an hour
       npm run certify -- SCENARIO [SCENARIO …]  only these, and pairs of them
       npm run certify -- --minutes 5            how long at least; every scenario is played once in any case (default 30)
       npm run certify -- --hours 2              the same in hours
       npm run certify -- --seed 7               chooses times and pairs (default 1)
       npm run certify -- --report FILE          writes FILE.md and FILE.json
       npm run certify -- --help                 shows this

Scenarios: ${SCENARIOS.map(({ name }) => `'${name}'`).join(', ')}

It works on loopback only, with processes that it starts. It ends with 1 if anything was lost, doubled, invented or wrong.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '30' },
    hours: { type: 'string' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const unknown = positionals.filter((name) => !SCENARIOS.some((one) => one.name === name))
const minutes = values.hours === undefined ? Number(values.minutes) : Number(values.hours) * 60
const seed = Number(values.seed)
if (values.help === true || unknown.length > 0 || !(minutes >= 0) || !Number.isInteger(seed)) {
  process.stdout.write(unknown.length > 0 ? `No such scenario: ${unknown.join(', ')}\n\n${HELP}` : HELP)
  process.exit(values.help === true ? 0 : 2)
}
const scenarios = positionals.length === 0 ? SCENARIOS : SCENARIOS.filter(({ name }) => positionals.includes(name))
const startedAt = new Date()
const findings = await certify({ scenarios, minutes, seed, say: (line) => console.log(line) })
const report = reportOf(findings, { seed, startedAt, endedAt: new Date() })
const text = reportText(report)
process.stdout.write(`\n${text}`)
if (values.report !== undefined) {
  writeFileSync(`${values.report}.md`, text)
  writeFileSync(`${values.report}.json`, `${JSON.stringify(report, null, 2)}\n`)
}
process.exit(findings.violations.length === 0 ? 0 : 1)
