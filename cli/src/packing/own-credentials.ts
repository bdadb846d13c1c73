import { UsageError } from '../command.ts'

export const REMOTE_USAGE = '--credentials FILE'
export const REMOTE_DETAILS = `
FILE (or KOBO_CREDENTIALS) holds the output of \`./kobo credentials\`, which runs where the sandbox runs.
`

export function ownCredentials(): never {
  throw new UsageError(`--credentials (or KOBO_CREDENTIALS) is required.${REMOTE_DETAILS.trimEnd()}`)
}
