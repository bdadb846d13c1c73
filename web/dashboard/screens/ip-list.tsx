import type { JSX } from 'preact'
import { type Fields, Form, TextArea } from '../form.tsx'
import type { ScreenProps } from '../screen.ts'
import { useSettings } from '../use-settings.ts'
import { Pending } from '../waiting.tsx'

const linesOf = (text = ''): string[] =>
  text
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** From where the merchant's servers may call, and which sites may open payments. */
export default function IpList({ me }: ScreenProps): JSX.Element {
  const { settings, problem, told, change } = useSettings()
  if (settings === undefined) return <Pending problem={problem} />
  const { ipWhitelist, inlineOrigins } = settings
  const mayChange = me.permissions.includes('developer.manage')
  const save = ({ ips, sites }: Fields): Promise<string | undefined> =>
    change({ ipWhitelist: linesOf(ips), inlineOrigins: linesOf(sites) }, 'Saved. It counts from now on.')
  return (
    <div class="stack">
      <h1>IP list and sites</h1>
      <p class="quiet">Calls of your API keys from elsewhere are refused. The dashboard is not bound to it.</p>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <section class="panel" aria-label="Lists" key={JSON.stringify([ipWhitelist, inlineOrigins])}>
        {mayChange ? (
          <Form act={save} submit="Save">
            <TextArea
              name="ips"
              label="Addresses of your servers"
              hint="One on each line: 196.6.103.10, or a range as 196.6.103.0/24."
              value={ipWhitelist.join('\n')}
            />
            <TextArea
              name="sites"
              label="Sites that may open payments with the inline script"
              hint="One on each line, as https://shop.example."
              value={inlineOrigins.join('\n')}
            />
          </Form>
        ) : (
          <ul class="rows">
            {[...ipWhitelist, ...inlineOrigins].map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
