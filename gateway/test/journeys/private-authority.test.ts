import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { ownCertificate } from '../harness/certificates.ts'
import { freePort } from '../harness/ports.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { startProgram } from '../harness/processes.ts'
import { slow } from '../harness/slow.ts'
import { syslogServer } from '../harness/syslog-server.ts'
import { until } from '../harness/until.ts'

const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'

slow(
  'connectors and a syslog server of a private authority are believed with NODE_EXTRA_CA_CERTS, and not without',
  async (t) => {
    const { certificate, key } = ownCertificate()
    const syslogPort = await freePort()
    const tls = { cert: readFileSync(certificate), key: readFileSync(key) }
    const { messages } = await syslogServer(t, syslogPort, tls)
    const connectors = startProgram(t, 'connectors/src/main.ts', [], {
      PORT: '0',
      KOBO_RAILS_SECRET: RAILS_SECRET,
      KOBO_TLS_CERTIFICATE: certificate,
      KOBO_TLS_KEY: key,
    })
    const address = await connectors.says(/ready at (\S+)/)
    assert.match(address, /^https:/)
    const { url: DATABASE_URL, drop } = await ownDatabase()
    t.after(drop)
    const started = async (env: NodeJS.ProcessEnv) => {
      const program = startProgram(t, 'gateway/src/main.ts', [], {
        PORT: '0',
        KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        DATABASE_URL,
        KOBO_RAILS_URL: `bank=${address.replace(/\/$/, '')}/sandbox`,
        KOBO_RAILS_SECRET: `bank=${RAILS_SECRET}`,
        KOBO_AUDIT_SYSLOG: `tls://localhost:${syslogPort}`,
        ...env,
      })
      const url = await program.says(/^Kobo is ready at (\S+)/m)
      const measured = async (line: RegExp): Promise<boolean> => line.test(await (await fetch(`${url}/metrics`)).text())
      return { program, measured }
    }
    const without = await started({})
    await until('the connector is not believed', () => without.measured(/^kobo_partner_up\{partner="bank"\} 0$/m))
    await until('audit records wait', () => without.measured(/^kobo_audit_unsent\{of="syslog"\} [1-9]/m))
    assert.deepEqual(messages, [], 'nothing is sent to a server that no one vouches for')
    without.program.child.kill('SIGTERM')
    await without.program.ended

    const believing = await started({ NODE_EXTRA_CA_CERTS: certificate })
    await until('the connector is believed', () => believing.measured(/^kobo_partner_up\{partner="bank"\} 1$/m))
    await until('all records are sent', () => believing.measured(/^kobo_audit_unsent\{of="syslog"\} 0$/m))
    assert.ok(messages.some((message) => /^<110>1 \S+Z \S+ kobo \d+ \S+ - \{.*\}$/.test(message)))
  },
)
