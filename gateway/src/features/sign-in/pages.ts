import type { Page, Pages } from '../../core/edge/pages/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import { html } from '../../platform/formats/html.ts'
import { httpErrors } from '../../platform/http/server.ts'

const BODY = html`<div id="app"></div><noscript><p class="notice warn">The dashboard needs JavaScript.</p></noscript>`

const dashboard = (environment: Environment): Page => ({
  title: 'Kobo',
  body: BODY,
  scripts: ['dashboard.js'],
  hasModules: true,
  styles: ['dashboard.css'],
  data: { environment },
})

/** Serves the dashboard: one page, whose script shows the URL's screen. The script also fetches all data. */
export function dashboardPages(pages: Pages, environment: Environment): void {
  for (const path of ['/dashboard', '/dashboard/:screen', '/dashboard/:screen/:id', '/dashboard/:screen/:id/:part'])
    pages.get(path, async ({ params }) => {
      if (params['screen'] === 'api') throw httpErrors.unknownPath('of the dashboard')
      return { page: dashboard(environment) }
    })
}
