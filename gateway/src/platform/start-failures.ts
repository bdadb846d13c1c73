import type { Config } from './config.ts'

type Place = Pick<Config, 'host' | 'port' | 'dataDirectory'>

/** What a system says of something that it cannot do. */
type SystemError = Error & { readonly code?: string; readonly syscall?: string }

/** What stands in the way of a start that is no fault of the program: in one sentence, with a way out. Undefined where it may be one. */
export function explainFailure(error: SystemError, { host, port, dataDirectory }: Place): string | undefined {
  const { code, syscall, message } = error
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken by another program. Stop that one, or name another port: PORT=${port + 1} npm start`
  if (syscall === 'listen' && code === 'EACCES')
    return `This account may not use port ${port}. Name one above 1023, as PORT=8080, and let a proxy have the other.`
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `This machine has no address ${host}. Set HOST to one that it has, or to 0.0.0.0 for all.`
  // PostgreSQL says it in its own words.
  if (code === 'ENOSPC' || /No space left on device/.test(message))
    return `The disk of ${dataDirectory} is full. Make room, or name a folder elsewhere by KOBO_DATA_DIR; what was answered before is kept.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `Kobo cannot write in ${dataDirectory} (${code}). Give this account the folder, or name another by KOBO_DATA_DIR.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${dataDirectory} cannot be a folder: a file is in its way. Name another by KOBO_DATA_DIR.`
  return undefined
}
