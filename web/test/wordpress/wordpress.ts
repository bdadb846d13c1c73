import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from '../../../gateway/test/harness/clear-up.ts'
import { until } from '../../../gateway/test/harness/until.ts'
import { aFreePort, start } from '../../../sdk/test/started.ts'

const run = promisify(execFile)
const HERE = fileURLToPath(new URL('.', import.meta.url))
const KOBO_PLUGIN = fileURLToPath(new URL('../../../samples/wordpress/kobo.php', import.meta.url))

/** Where Debian's packages install WordPress and its database. */
const DEBIAN = '/usr/share/wordpress'
const THEMES = `${DEBIAN}/wp-content/themes`
const NEEDED = [`${DEBIAN}/wp-load.php`, THEMES, '/usr/sbin/mariadbd', '/usr/bin/mariadb-install-db']

const isInstalled = (): boolean =>
  NEEDED.every((path) => existsSync(path)) &&
  readdirSync(THEMES).some((name) => existsSync(join(THEMES, name, 'style.css')))

/** The reason to skip tests that need WordPress; false if it is installed. */
export const noWordPress: string | false = isInstalled()
  ? false
  : 'WordPress is not installed here; on Debian: apt-get install wordpress php-mysql mariadb-server'

export interface ShopKeys {
  readonly key: string
  readonly secret: string
  readonly contract: string
}

/** A running WordPress with Kobo's plugin and the test shop. */
export interface WordPress {
  readonly url: string
  /** The password of its administrator, `ada`. */
  readonly password: string
}

/** Installs WordPress in its own folder, with its own database, and starts it. */
export async function startWordPress(t: TestContext, gatewayUrl: string, keys: ShopKeys): Promise<WordPress> {
  const folder = ownFolder('wordpress')
  const site = join(folder, 'site')
  const socket = await startDatabase(t, folder)
  cpSync(DEBIAN, site, { recursive: true, dereference: true })
  const shop = join(site, 'wp-content/plugins/shop')
  for (const path of [shop, join(site, 'wp-content/mu-plugins')]) mkdirSync(path, { recursive: true })
  cpSync(join(HERE, 'shop.php'), join(shop, 'shop.php'))
  cpSync(KOBO_PLUGIN, join(site, 'wp-content/mu-plugins/kobo.php'))
  const port = await aFreePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(site, 'wp-config.php'), configOf({ url, socket, gatewayUrl }))
  const password = randomUUID()
  await run('php', ['-d', 'sendmail_path=/bin/true', join(HERE, 'install.php')], {
    cwd: site,
    env: { PATH: process.env['PATH'], SHOP_PASSWORD: password, SHOP_KEYS: JSON.stringify(keys) },
  })
  // The gateway calls the shop while the shop calls the gateway.
  const env = { PHP_CLI_SERVER_WORKERS: '4' }
  start(t, ['php', '-d', 'display_errors=0', '-S', `127.0.0.1:${port}`, '-t', site], site, env)
  await until('WordPress responds', async () => (await fetch(url).catch(() => undefined))?.ok === true)
  return { url, password }
}

/** Starts a database server that only its socket reaches, and creates WordPress's database. Returns the socket. */
async function startDatabase(t: TestContext, folder: string): Promise<string> {
  const [data, socket] = [join(folder, 'data'), join(folder, 'database.sock')]
  const own = ['--no-defaults', `--datadir=${data}`, `--user=${userInfo().username}`]
  await run('mariadb-install-db', [...own, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const small = ['--skip-networking', '--skip-log-bin', '--innodb-buffer-pool-size=32M']
  const first = join(folder, 'first.sql')
  writeFileSync(first, 'create database wordpress;\n')
  const database = start(
    t,
    ['/usr/sbin/mariadbd', ...own, ...small, `--socket=${socket}`, `--init-file=${first}`],
    folder,
    {},
  )
  await database.says(/(ready for connections)/)
  return socket
}

/** wp-config.php, with the two lines that the guide tells merchants to add. */
const configOf = ({ url, socket, gatewayUrl }: Record<'url' | 'socket' | 'gatewayUrl', string>): string => `<?php
define('KOBO_URL', '${gatewayUrl}');
define('KOBO_WEBHOOK_IPS', ['127.0.0.1']);
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', '${url}');
define('WP_SITEURL', '${url}');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
require __DIR__ . '/wp-settings.php';
`
