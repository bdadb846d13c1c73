import { DatabaseUnavailable } from '../postgres/connection-loss.ts'
import { WrongSchema } from '../postgres/migrate.ts'
import type { Config } from './config.ts'

type Place = Pick<Config, 'host' | 'port' | 'dataDirectory'>

type SystemError = Error & { readonly code?: string | undefined; readonly syscall?: string }

/** Explains a start that failed for a reason outside the program, with the fix; undefined if it may be a bug. */
export function explainFailure(error: SystemError, { host, port, dataDirectory }: Place): string | undefined {
  const { code, syscall, message } = error
  if (error instanceof WrongSchema) return message
  if (error instanceof DatabaseUnavailable) return explainDatabase(error)
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program. Stop that program, or use another port: PORT=${port + 1} npm start`
  if (syscall === 'listen' && code === 'EACCES')
    return `This user may not listen on port ${port}. Use a port above 1023, for example PORT=8080, behind a proxy.`
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `This machine has no address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`
  // PostgreSQL reports a full disk in its own words.
  if (code === 'ENOSPC' || /No space left on device/.test(message))
    return `The disk of ${dataDirectory} is full. Free some space, or set KOBO_DATA_DIR to another folder. No confirmed data is lost.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `Kobo cannot write in ${dataDirectory} (${code}). Give this user write access, or set KOBO_DATA_DIR to another folder.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${dataDirectory} cannot be created: part of its path is a file. Set KOBO_DATA_DIR to another folder.`
  return undefined
}

const DATABASE_URLS = 'DATABASE_URL, KOBO_VAULT_DATABASE_URL and KOBO_MIGRATION_DATABASE_URL'
/** invalid_authorization_specification, invalid_password */
const NOT_AUTHORIZED = /^(28000|28P01)$/
/** invalid_catalog_name */
const NO_SUCH_DATABASE = '3D000'
/** Not EAI_AGAIN: it means that the name server does not respond, which is temporary. */
const NO_SUCH_HOST = 'ENOTFOUND'
/** The codes of OpenSSL and Node.js for a certificate that is not accepted. */
const UNTRUSTED = /CERT|SIGNATURE|ALTNAME/

/** Returns how to fix a wrong setting; undefined if the settings may be right. */
function settingFix({ code = '' }: DatabaseUnavailable): string | undefined {
  if (NOT_AUTHORIZED.test(code)) return `Correct the user and password in ${DATABASE_URLS}.`
  if (code === NO_SUCH_DATABASE)
    return `Create the database (docs/operate/database.md), or correct its name in ${DATABASE_URLS}.`
  if (code === NO_SUCH_HOST) return `Correct the host in ${DATABASE_URLS}.`
  if (UNTRUSTED.test(code)) return `Add the certificate of its authority to ${DATABASE_URLS}: &sslrootcert=FILE.`
  return undefined
}

/** Explains why the database cannot be used. It quotes PostgreSQL's message, which contains no secret. */
function explainDatabase(error: DatabaseUnavailable): string {
  const fix = settingFix(error) ?? `Start PostgreSQL and let this machine connect to it, or correct ${DATABASE_URLS}.`
  return `${error.message.replace(/\.?$/, '.')} ${fix}`
}

/** Whether the database is down or unreachable. False if a setting is wrong. */
export const isDatabaseAway = (error: unknown): error is DatabaseUnavailable =>
  error instanceof DatabaseUnavailable && settingFix(error) === undefined
