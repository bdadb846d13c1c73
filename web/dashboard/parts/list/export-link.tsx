import { pathOf } from '@kobo/contract/client'
import type { JSX } from 'preact'
import * as routes from '../../../routes.ts'
import type { AnyList } from './list-spec.ts'

interface ExportProps {
  readonly spec: AnyList
  /** The list's filters. */
  readonly query: Readonly<Record<string, string>>
}

/** A link that downloads every row of the filtered list; the browser shows the progress. */
export const ExportLink = ({ spec, query }: ExportProps): JSX.Element => (
  <a
    class="button plain fit"
    href={pathOf(routes.exportList.path, { list: spec.name }, query)}
    download={`${spec.name}.csv`}
  >
    Export
  </a>
)
