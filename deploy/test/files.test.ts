import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settingsHelp as connectorSettings } from '../../connectors/src/settings.ts'
import { settingsHelp } from '../../gateway/src/platform/config/config.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { DEPLOY, runTool, textOf, without } from './tools.ts'

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

/** The reason to skip tests that need Python with YAML. */
const withoutYaml =
  runTool(ROOT, 'python3', '-c', 'import yaml').code === 0 ? false : 'python3 does not read YAML (Debian: python3-yaml)'

const READ = 'import yaml, json, sys; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))'

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
}

interface Resource {
  readonly kind: string
  readonly spec: {
    readonly selector?: Record<string, unknown> & { readonly matchLabels?: object }
    readonly template?: Template
    readonly jobTemplate?: { readonly spec: { readonly template: Template } }
    readonly podSelector?: {
      readonly matchLabels?: Readonly<Record<string, string>>
      readonly matchExpressions?: readonly { readonly values: readonly string[] }[]
    }
    readonly policyTypes?: readonly string[]
    readonly ingress?: readonly {
      readonly from?: readonly {
        readonly namespaceSelector?: { matchLabels?: object }
        readonly podSelector?: { matchLabels?: object }
      }[]
    }[]
  }
  readonly data?: Readonly<Record<string, string>>
}

function readYaml<T>(path: string): readonly T[] {
  const { code, output } = runTool(ROOT, 'python3', '-c', READ, path)
  assert.equal(code, 0, output)
  return JSON.parse(output)
}

/** The environment variables that a file sets. */
const namedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\b((?:KOBO_[A-Z_]+|DATABASE_URL|SMTP_URL))\b(?=:|,|\s*\})/g)].map(([, name = '']) => name))

const COMPOSE = ['deploy/docker/compose.yaml', 'deploy/docker/compose-production.yaml']
const KUBERNETES = ['deploy/kubernetes/kobo.yaml', 'deploy/kubernetes/connectors.yaml']

test('Compose and Kubernetes set existing variables and refer to existing selectors, probes and programs', {
  skip: withoutYaml,
}, () => {
  const settings = `${settingsHelp()}\n${connectorSettings()}`
  for (const path of [...COMPOSE, ...KUBERNETES]) {
    readYaml(path)
    const text = textOf(path)
    assert.ok(namedIn(text).size > 3, path)
    for (const name of namedIn(text)) assert.match(settings, new RegExp(`^ {2}${name} `, 'm'), `${path}: ${name}`)
    for (const [program] of text.matchAll(/[a-z]+\/src\/main\.ts/g)) assert.ok(existsSync(join(ROOT, program)), program)
  }
  const resources = readYaml<Resource>('deploy/kubernetes/kobo.yaml')
  const deployment = resources.find(({ kind }) => kind === 'Deployment')
  const labels = deployment?.spec.template?.metadata.labels
  assert.ok(labels !== undefined)
  for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget']) {
    const selector = resources.find((one) => one.kind === kind)?.spec.selector
    assert.deepEqual(selector?.matchLabels ?? selector, labels, kind)
  }
  const text = JSON.stringify(deployment)
  for (const part of [
    '"runAsNonRoot":true',
    '"readOnlyRootFilesystem":true',
    '/health/live',
    '/health/ready',
    '"drop":["ALL"]',
  ])
    assert.ok(text.includes(part), part)
  assert.ok(!text.includes('KOBO_MIGRATION_DATABASE_URL'), 'the gateway does not know the owner')
})

test('only the ingress controller and the monitoring reach the gateway, and it trusts no network of pods', {
  skip: withoutYaml,
}, () => {
  const resources = KUBERNETES.flatMap((path) => readYaml<Resource>(path))
  const covered = resources
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec: { podSelector, ingress = [], policyTypes } }) => {
      assert.deepEqual(policyTypes, ['Ingress', 'Egress'])
      for (const { from = [] } of ingress) {
        assert.ok(from.length > 0, 'every caller is named')
        for (const { namespaceSelector, podSelector: pods } of from)
          assert.ok((namespaceSelector ?? pods)?.matchLabels !== undefined)
      }
      return [podSelector?.matchLabels?.['app'] ?? [], podSelector?.matchExpressions?.[0]?.values ?? []].flat()
    })
  const pods = resources.flatMap(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template ?? [])
  assert.deepEqual(covered.toSorted(), pods.map(({ metadata: { labels } }) => labels['app']).toSorted())
  const proxies = resources.find(({ kind }) => kind === 'ConfigMap')?.data?.['KOBO_TRUSTED_PROXIES'] ?? ''
  assert.doesNotMatch(proxies, /\//, 'addresses, no networks')
  const ingress = JSON.stringify(resources.find(({ kind }) => kind === 'Ingress'))
  assert.doesNotMatch(ingress, /snippet/, 'controllers may forbid snippets')
  for (const path of ['/metrics', '/health'])
    assert.ok(
      ingress.includes(`"path":"${path}","pathType":"Prefix","backend":{"service":{"name":"kobo-private"`),
      path,
    )
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
  assert.ok(bases.length === 2 && bases.every((base) => base?.endsWith('{NODE_IMAGE}')), String(bases))
  for (const [, image = ''] of textOf('deploy/docker/compose.yaml').matchAll(/^ +image: (.*)$/gm))
    assert.match(image, /^\$\{[A-Z_]+:-/)
})

/** Kubernetes' schemas as an npm package; at 32 MB it is not a dependency. */
const SCHEMAS = 'kubernetes-models'
const withoutSchemas = ((): string | false => {
  try {
    import.meta.resolve(`${SCHEMAS}/v1/Service`)
    return withoutYaml
  } catch {
    return `${SCHEMAS} is not installed (npm install --no-save ${SCHEMAS})`
  }
})()

test('every resource matches Kubernetes’ schemas', { skip: withoutSchemas }, async () => {
  type Model = new (data: object) => { readonly validate: () => void }
  const resources = KUBERNETES.flatMap((path) => readYaml<{ readonly apiVersion: string; readonly kind: string }>(path))
  const check = async ({ apiVersion, kind, ...data }: (typeof resources)[number]): Promise<void> => {
    const { [kind]: Model } = (await import(`${SCHEMAS}/${apiVersion}/${kind}`)) as Record<string, Model>
    assert.ok(Model !== undefined, `${apiVersion} has ${kind}`)
    new Model(data).validate()
  }
  for (const resource of resources) await check(resource)
  const [deployment] = resources.filter(({ kind }) => kind === 'Deployment')
  assert.ok(deployment !== undefined)
  await assert.rejects(check({ ...deployment, spec: { replicas: 'two' } } as typeof deployment))
})

test('the image runs unprivileged, has a health check and starts an existing program', () => {
  const text = textOf('deploy/docker/Dockerfile')
  const [, last = ''] = text.split(/^FROM .* AS build$/m)[1]?.split(/^FROM /m) ?? []
  assert.match(last, /^USER node$/m)
  assert.match(last, /^HEALTHCHECK [\s\S]*\/health\/ready/m)
  const start = JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '[]') as string[]
  assert.ok(existsSync(join(ROOT, start.at(-1) ?? 'nowhere')))
  const npmStart = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts['start'] ?? ''
  assert.ok(npmStart.endsWith(start.join(' ')), 'as npm start does')
  const unit = textOf('deploy/systemd/kobo.service')
  assert.ok(unit.includes(start.slice(1).join(' ')), 'and as systemd does')
})
