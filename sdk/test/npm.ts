import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const INSTALL_MILLISECONDS_MAX = 180_000

/** npm's errors for an unreachable registry. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED|E401|E403|E407)\b/

/** Makes npm prefer its cache, try once and print only errors. */
export const NPM_SETTINGS = {
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retries: '0',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
} as const

/** Environment variables for the registry, a proxy and certificates. */
const OF_THE_NETWORK = /^(NODE_EXTRA_CA_CERTS|npm_config_(registry|cafile)|(npm_config_)?((https?|no)_)?proxy)$/i

/** The network settings of this process, for child processes with a clean environment. */
export const networkSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_THE_NETWORK.test(name)))

/** The network problem that npm reported, if any. */
export const whyUnreachable = (output: string): string | undefined => {
  const code = UNREACHABLE.exec(output)?.[1]
  return code === undefined ? undefined : `npm cannot install here: ${code}`
}

/** Installs packages into a folder; returns the reason if the network failed. */
export async function npmInstall(folder: string, ...packages: readonly string[]): Promise<string | undefined> {
  try {
    await run('npm', ['install', ...packages], {
      cwd: folder,
      env: { ...process.env, ...NPM_SETTINGS },
      timeout: INSTALL_MILLISECONDS_MAX,
      killSignal: 'SIGKILL',
    })
    return undefined
  } catch (error) {
    const { stderr, killed } = error as { stderr: string; killed: boolean }
    const problem = killed ? `npm has installed nothing in ${INSTALL_MILLISECONDS_MAX} ms` : whyUnreachable(stderr)
    if (problem === undefined) throw error
    return problem
  }
}
