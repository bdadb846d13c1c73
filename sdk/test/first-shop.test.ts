import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../cli/test/commands.ts'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { NPM_SETTINGS, networkSettings, whyUnreachable } from './npm.ts'
import { aFreePort, start } from './started.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = readFileSync(join(ROOT, 'docs/first-shop.md'), 'utf8')

/** What the guide has a reader paste under a heading, one block after the other. */
function commandsUnder(heading: string): readonly string[] {
  const section = GUIDE.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands ?? '')
}

/** Opens terminals of somebody who has just cloned this, at home in an empty folder, beside a gateway that runs. */
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
  // As `npx kobo` does once all is installed.
  const npx = `set -eu; npx() { shift; node ${JSON.stringify(join(ROOT, 'cli/src/main.ts'))} "$@"; }\n`
  return () => {
    const terminal = start(t, ['bash', '-s'], ROOT, env)
    terminal.type(npx)
    /** Pastes commands; the shop is at a port of its own, since 3000 may be taken here. */
    const paste = (commands = ''): void => terminal.type(commands.replaceAll('localhost:3000', `localhost:${port}`))
    return { ...terminal, paste }
  }
}

test('the guide to a shop of one’s own, pasted into terminals, leads to a paid order, a verified event and a refund', async (t) => {
  assert.deepEqual(commandsUnder('The gateway'), ['npm start\n'])
  const openTerminal = await terminalsAt(t, await gateway(t, { wall: wallClock }))

  const second = openTerminal()
  second.paste(commandsUnder('The shop').join(''))
  if ((await second.says(/(The shop is open at \S+)/)) === undefined)
    return t.skip(whyUnreachable(second.printed()) ?? assert.fail(second.printed()))
  const third = openTerminal()
  third.paste(commandsUnder('Its events').join(''))
  assert.ok(await third.says(/(Listening for events)/), third.printed())

  const fourth = openTerminal()
  const [pay, look] = commandsUnder('An order')
  fourth.paste(pay)
  assert.equal(await fourth.says(/^(\w+)$/m), 'PAID', fourth.printed())
  assert.ok(await third.says(/(SUCCESSFUL_TRANSACTION \S+, signature good)/), third.printed())
  assert.ok(await second.says(/(order-\S+ is PAID)/), second.printed())
  fourth.paste(look)
  assert.match((await fourth.says(/^(.* 401)$/m)) ?? fourth.printed(), /signature/)
  fourth.paste(commandsUnder('Its refund').join(''))
  assert.ok(await third.says(/(SUCCESSFUL_REFUND \S+, signature good)/), third.printed())
  assert.ok(await second.says(/(order-\S+ is REFUNDED)/), second.printed())
  assert.match(fourth.printed(), /^PAID\nPAID\n.* 401\n(PENDING|COMPLETED)\n$/)
})
