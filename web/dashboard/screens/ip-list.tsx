import type { JSX } from 'preact'
import { useSettings } from '../api/use-settings.ts'
import { type Fields, Form, TextArea } from '../parts/form.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'

const linesOf = (text = ''): string[] =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** One site or app per line, optionally followed by a space and a prefix for its payment references. */
const entriesOf = (text = ''): string[] =>
  text
    .split(/[\n,]+/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '')

/** The servers that may call the API, and the sites that may open the inline checkout. */
export default function IpList({ me }: ScreenProps): JSX.Element {
  const { settings, problem, toast, change } = useSettings()
  if (settings === undefined) return <LoadingOrError problem={problem} />
  const { ipWhitelist, inlineOrigins } = settings
  const mayChange = me.permissions.includes('developer.manage')
  const save = ({ ipWhitelist: ips, inlineOrigins: sites }: Fields): Promise<string | undefined> =>
    change({ ipWhitelist: linesOf(ips), inlineOrigins: entriesOf(sites) }, 'Saved.')
  return (
    <div class="stack">
      <h1>IP whitelist and sites</h1>
      <p class="quiet">API calls from unlisted IP addresses are blocked. This doesn’t affect the dashboard.</p>
      <Toast text={toast} />
      <section
        class="panel"
        aria-label="Allowed addresses and sites"
        key={JSON.stringify([ipWhitelist, inlineOrigins])}
      >
        {mayChange ? (
          <Form act={save} submit="Save">
            <TextArea
              name="ipWhitelist"
              label="Server IP addresses"
              hint="One per line: 196.6.103.10, or a range such as 196.6.103.0/24."
              value={ipWhitelist.join('\n')}
            />
            <TextArea
              name="inlineOrigins"
              label="Sites allowed to open the inline checkout"
              hint="One per line, such as https://shop.example. To allow references that start with MNFY_WP_, write: https://shop.example MNFY_WP_"
              value={inlineOrigins.join('\n')}
            />
          </Form>
        ) : (
          <ul class="rows">
            {[...ipWhitelist, ...inlineOrigins].map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
