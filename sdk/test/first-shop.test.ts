import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../cli/test/commands.ts'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { NPM_SETTINGS, networkSettings, whyUnreachable } from './npm.ts'
import { aFreePort, start } from './started.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = readFileSync(join(ROOT, 'docs/guides/first-shop.md'), 'utf8')

/** The commands under a heading of the guide. */
function commandsUnder(heading: string): readonly string[] {
  const section = GUIDE.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands ?? '')
}

/** Opens terminals of a new user with an empty home folder, next to a running gateway. */
async function terminalsAt(t: TestContext, shop: TestGateway) {
  const home = join(ownFolder('home'), 'my home')
  mkdirSync(home)
  const port = await aFreePort()
  const env = {
    ...settings(shop.databaseUrl, { KOBO_PUBLIC_URL: shop.url }),
    ...networkSettings(),
    ...NPM_SETTINGS,
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_cache: join(homedir(), '.npm'),
    HOME: home,
    PORT: port,
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  }
  return () => {
    const terminal = start(t, ['bash', '-s'], ROOT, env)
    terminal.type('set -eu\n')
    /** Pastes commands, with a free port instead of 3000. */
    const paste = (commands = ''): void => terminal.type(commands.replaceAll('localhost:3000', `localhost:${port}`))
    return { ...terminal, paste }
  }
}

slow('the commands of the shop guide lead to a paid order, a verified event and a refund', async (t) => {
  assert.deepEqual(commandsUnder('Start Kobo'), ['npm start\n'])
  const openTerminal = await terminalsAt(t, await gateway(t, { wall: wallClock }))

  const second = openTerminal()
  second.paste(commandsUnder('Start the shop').join(''))
  if ((await second.says(/(The shop is open at \S+)/)) === undefined)
    return t.skip(whyUnreachable(second.printed()) ?? assert.fail(second.printed()))
  const third = openTerminal()
  third.paste(commandsUnder('Forward webhooks').join(''))
  assert.ok(await third.says(/(Listening for events)/), third.printed())

  const fourth = openTerminal()
  const [pay, look] = commandsUnder('Place an order')
  fourth.paste(pay)
  assert.equal(await fourth.says(/^(\w+)$/m), 'PAID', fourth.printed())
  assert.ok(await third.says(/(SUCCESSFUL_TRANSACTION \S+, valid signature)/), third.printed())
  assert.ok(await second.says(/(order-\S+ is PAID)/), second.printed())
  fourth.paste(look)
  assert.match((await fourth.says(/^(.* 401)$/m)) ?? fourth.printed(), /signature/)
  fourth.paste(commandsUnder('Refund the order').join(''))
  assert.ok(await third.says(/(SUCCESSFUL_REFUND \S+, valid signature)/), third.printed())
  assert.ok(await second.says(/(order-\S+ is REFUNDED)/), second.printed())
  assert.match(fourth.printed(), /^PAID\nPAID\n.* 401\n(PENDING|COMPLETED)\n$/)
})
