import { readFileSync } from 'node:fs'
import * as contract from '@kobo/contract'
import {
  CLIENT_PROFILES,
  COMPAT_SETTINGS,
  LENIENT_FORMS,
  OTHER_NAMES,
  type Route,
  UNSUPPORTED_FORMS,
} from '@kobo/contract'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** Returns the page about clients of Monnify's API: the settings that each needs, and the unusual input we accept. */
export const clientsPage = (note: string, tableOf: Table): string => `${note}

# Clients of Monnify's API

Published clients work with Kobo once you change their base URL. [Move from another gateway](../guides/coming-from.md) says how.

## Compatibility settings

Some clients break a rule that Monnify's documentation states. These settings relax such a rule for one merchant. They are off by default, and each weakens a protection: switch on only what a client needs.

${tableOf(
  ['setting', 'with it'],
  Object.entries(COMPAT_SETTINGS).map(([name, about]) => [`\`${name}\``, about]),
)}

The operator switches them on in the dashboard or with \`kobo merchant set CODE --compat NAME,…\`; each change is audited. In a sandbox, \`KOBO_COMPAT=NAME,…\` does so for all merchants. NAME is a setting or a client:

${tableOf(
  ['client', 'NAME', 'needs'],
  Object.entries(CLIENT_PROFILES).map(([name, { client, needs }]) => [
    client,
    `\`${name}\``,
    needs.map((need) => `\`${need}\``).join(', ') || '–',
  ]),
)}

With \`basicAuthentication\` the secret key travels with every call, so a leaked request log is a leaked key. Such calls have their own limit (600 per minute and network), and the audit log has \`login.call\` for each network.

## Compatibility matrix

A test sends these calls with each client's settings and its known deviations from the documentation, and checks the fields of the response that the client reads. We wrote the calls down from the clients' published sources; they were not captured from traffic.

${tableOf(
  ['client', 'calls', 'fields read'],
  Object.entries(recorded()).map(([name, calls]) => [
    CLIENT_PROFILES[name as keyof typeof CLIENT_PROFILES].client,
    calls.map(({ call }) => call).join(', '),
    String(calls.reduce((sum, { reads }) => sum + reads.length, 0)),
  ]),
)}

Tests also install these from npm and run them: the official library for Node.js, and in Chromium the wrappers \`react-monnify\`, \`react-monnify-ts\`, \`vue-monnify\`, \`angular-monnify\`, \`monnify-js\` and \`monnify-ts\`. Where Debian's packages are installed, a real WordPress sells through [our plugin](../guides/wordpress.md), with the test's own shop, which calls the gateway as the plugin for WooCommerce does.

These are deliberately not supported:

${tableOf(
  ['feature', 'reason'],
  Object.values(UNSUPPORTED_FORMS).map(({ feature, reason }) => [feature, reason]),
)}

## Accepted input

Kobo reads what such clients send where Monnify's documentation is silent. Every row is tested. New programs should send the documented form.

${tableOf(
  ['sent', 'read', 'where'],
  Object.values(LENIENT_FORMS).map(({ sent, read, where }) => [sent, read, where]),
)}

### Other names of fields

The documented name wins if a request has both.

${tableOf(
  ['request', 'field', 'also read as'],
  Object.entries(OTHER_NAMES).flatMap(([name, names]) =>
    Object.entries(names).map(([field, other]) => [requestOf(name), `\`${field}\``, `\`${other}\``]),
  ),
)}
`

/** Reads the calls of each client that a test makes. */
const recorded = (): Readonly<
  Record<string, readonly { readonly call: string; readonly reads: readonly string[] }[]>
> => JSON.parse(readFileSync(new URL('../gateway/test/clients/recorded.json', import.meta.url), 'utf8'))

/** Returns the request that a name in `OTHER_NAMES` belongs to. */
function requestOf(name: string): string {
  if (name === 'batchItem') return `\`${contract.initiateBatch.path}\`, items`
  const { method, path } = (contract as unknown as Record<string, Route>)[name] as Route
  return `\`${method} ${path}\``
}
