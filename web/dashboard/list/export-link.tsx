import type { JSX } from 'preact'
import type { AnyList } from './spec.ts'

interface ExportProps {
  readonly spec: AnyList
  /** What the list is narrowed down to. */
  readonly wanted: Readonly<Record<string, string>>
}

/** All of a list as a file, just as it is narrowed down, to the last row: the browser keeps it as it comes and shows how far it is. */
export const ExportLink = ({ spec, wanted }: ExportProps): JSX.Element => (
  <a
    class="button plain fit"
    href={`/dashboard/api/exports/${spec.name}?${new URLSearchParams(wanted)}`}
    download={`${spec.name}.csv`}
  >
    Export
  </a>
)
