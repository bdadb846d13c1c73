import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsHelp as connectorSettings } from '../../connectors/src/settings.ts'
import { settingsHelp } from '../../gateway/src/platform/config/config.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { DEPLOY, readYaml, runTool, textOf, without, withoutYaml } from './tools.ts'

const ROOT = join(DEPLOY, '..')
/** The maximum exposure level of `systemd-analyze security`, of 100. */
const EXPOSURE_MAX = 30

test('systemd accepts the units and rates the gateway as well isolated', {
  skip: without('systemd-analyze', 'systemd'),
}, () => {
  const folder = ownFolder('systemd')
  const units = readdirSync(join(DEPLOY, 'systemd')).map((name) => {
    // This machine has neither the account nor the program.
    const text = textOf(`deploy/systemd/${name}`)
      .replaceAll('/opt/kobo/node_modules/.bin/node', '/usr/bin/env')
      .replace(/^(User|Group)=kobo$/gm, '$1=root')
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
  const verified = runTool(folder, 'systemd-analyze', 'verify', ...units)
  assert.deepEqual(verified, { code: 0, output: '' })
  for (const unit of ['kobo.service', 'kobo-connectors.service']) {
    const security = ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, join(folder, unit)]
    const { code, output } = runTool(folder, 'systemd-analyze', ...security)
    assert.equal(code, 0, output)
  }
})

/** The environment variables that a file sets. */
const namedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\b((?:KOBO_[A-Z_]+|DATABASE_URL|SMTP_URL))\b(?=:|,|\s*\})/g)].map(([, name = '']) => name))

const COMPOSE = ['deploy/docker/compose.yaml', 'deploy/docker/compose-production.yaml']

test('Compose sets existing variables and starts existing programs', { skip: withoutYaml }, () => {
  const settings = `${settingsHelp()}\n${connectorSettings()}`
  for (const path of COMPOSE) {
    readYaml(join(ROOT, path))
    const text = textOf(path)
    assert.ok(namedIn(text).size > 3, path)
    for (const name of namedIn(text)) assert.match(settings, new RegExp(`^ {2}${name} `, 'm'), `${path}: ${name}`)
    for (const [program] of text.matchAll(/[a-z]+\/src\/main\.ts/g)) assert.ok(existsSync(join(ROOT, program)), program)
  }
})

test('no program leaves a core dump, and every base image can be named by its digest', () => {
  for (const name of readdirSync(join(DEPLOY, 'systemd')).filter((file) => file.endsWith('.service')))
    assert.match(textOf(`deploy/systemd/${name}`), /^LimitCORE=0$/m, name)
  for (const path of COMPOSE)
    assert.equal(
      textOf(path).match(/ulimits: \{ core: 0 \}/g)?.length,
      textOf(path).match(/^ {4}(image: \$\{GATEWAY_IMAGE|build:)/gm)?.length,
      path,
    )
  const bases = [...textOf('deploy/docker/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  assert.equal(bases.length, 4)
  for (const base of bases) assert.match(base ?? '', /^(\$\{NODE_IMAGE\}|gateway)$/)
  for (const [, image = ''] of textOf('deploy/docker/compose.yaml').matchAll(/^ +image: (.*)$/gm))
    assert.match(image, /^\$\{[A-Z_]+:-/)
})

test('the image runs unprivileged, has a health check and starts an existing program', () => {
  const text = textOf('deploy/docker/Dockerfile')
  const [, last = ''] = text.split(/^FROM .* AS build$/m)[1]?.split(/^FROM /m) ?? []
  assert.match(last, /^USER node$/m)
  assert.match(last, /^HEALTHCHECK [\s\S]*\/health\/live/m)
  const start = JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '[]') as string[]
  assert.ok(existsSync(join(ROOT, start.at(-1) ?? 'nowhere')))
  const npmStart = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts['start'] ?? ''
  assert.ok(npmStart.endsWith(start.join(' ')), 'as npm start does')
  const unit = textOf('deploy/systemd/kobo.service')
  assert.ok(unit.includes(start.slice(1).join(' ')), 'and as systemd does')
})
