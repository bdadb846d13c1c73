import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const INSTALL_MILLISECONDS_MAX = 180_000

/** What npm says where there is no registry to be had, which is no fault of what it installs. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED|E401|E403|E407)\b/

/** So that npm takes what it has, asks once, and says nothing else. */
export const NPM_SETTINGS = {
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retries: '0',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
} as const

/** By these a machine reaches its registry: one of its own, a proxy, a certificate of its network's. */
const OF_THE_NETWORK = /^(NODE_EXTRA_CA_CERTS|npm_config_(registry|cafile)|(npm_config_)?((https?|no)_)?proxy)$/i

/** So that a program that is given no other settings of this machine reaches what this one does. */
export const networkSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_THE_NETWORK.test(name)))

/** Why nothing could be installed, where that is the network's fault. */
export const whyUnreachable = (said: string): string | undefined => {
  const code = UNREACHABLE.exec(said)?.[1]
  return code === undefined ? undefined : `npm cannot install here: ${code}`
}

/** Installs packages into a folder; answers why it could not be done, where that is the network's fault. */
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
