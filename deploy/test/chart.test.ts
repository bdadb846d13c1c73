import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { settingsHelp as connectorSettings } from '../../connectors/src/settings.ts'
import { settingsHelp } from '../../gateway/src/platform/config/config.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { npmInstall } from '../../sdk/test/npm.ts'
import { DEPLOY, readYaml, runTool, textOf, without, withoutYaml } from './tools.ts'

const ROOT = join(DEPLOY, '..')
const CHART = join(DEPLOY, 'helm', 'kobo')
const RENDERER = join(DEPLOY, 'test', 'render-chart.go')
/** Where Debian installs Go packages. */
const GO_PACKAGES = '/usr/share/gocode'

const { version } = JSON.parse(textOf('package.json')) as { readonly version: string }
const hasHelm = without('helm') === false
/** Without Helm, its template engine renders: Go's templates with sprig's functions. */
const withoutRenderer: string | false =
  withoutYaml ||
  (!hasHelm &&
    (without('go', 'golang') ||
      (!existsSync(join(GO_PACKAGES, 'src/github.com/Masterminds/sprig')) &&
        'neither helm nor sprig is installed (Debian: golang-github-masterminds-sprig-dev)')))

interface Probe {
  readonly httpGet: { readonly path: string; readonly scheme?: string }
}

interface Container {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly resources: { readonly requests: object; readonly limits: object }
  readonly securityContext: object
  readonly livenessProbe?: Probe
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
}

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly automountServiceAccountToken: boolean
    readonly securityContext: object
    readonly containers: readonly Container[]
    readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[]
  }
}

interface Peer {
  readonly namespaceSelector?: { readonly matchLabels?: object }
  readonly podSelector?: { readonly matchLabels?: object }
}

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly replicas?: number
    readonly template?: Pod
    readonly jobTemplate?: { readonly spec: { readonly template: Pod } }
    readonly schedule?: string
    readonly selector?: Readonly<Record<string, unknown>> & { readonly matchLabels?: Readonly<Record<string, string>> }
    readonly podSelector?: {
      readonly matchLabels: Readonly<Record<string, string>>
      readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[]
    }
    readonly policyTypes?: readonly string[]
    readonly ingress?: readonly { readonly from?: readonly Peer[] }[]
  }
}

const DIGEST = `sha256:${'ab'.repeat(32)}`
const REQUIRED = {
  image: { repository: 'registry.example.com/kobo', digest: DIGEST },
  host: 'pay.example.com',
  trustedProxies: ['10.1.2.3'],
  ingress: { tlsSecret: 'pay-example-com' },
}
const EVERYTHING = {
  ...REQUIRED,
  settings: { KOBO_FLOAT_MINIMUM: 'wema=5000000', KOBO_WORKERS: 2 },
  authority: { secret: 'private-ca' },
  externalSecrets: { enabled: true, store: { name: 'vault' } },
  autoscaling: { enabled: true },
  monitoring: { enabled: true, labels: { release: 'prometheus' } },
  backup: {
    enabled: true,
    image: { repository: 'registry.example.com/kobo-backup', digest: DIGEST },
    claim: 'backups',
  },
  statements: { enabled: true, claim: 'statements' },
  connectors: { enabled: true },
}

type Values = Readonly<Record<string, unknown>>

/** Merges given values over the chart's, as Helm does. */
function merged(standard: Values, given: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const both = Object.entries(given).map(([name, value]) => {
    const before = standard[name]
    return [name, isMap(value) && isMap(before) ? merged(before, value) : value]
  })
  return { ...standard, ...Object.fromEntries(both) }
}

/** The chart's own files, and the renderer, which is compiled once. */
function openChart() {
  const [{ name = '', version = '', appVersion = '' } = {}] = readYaml<Record<string, string>>(`${CHART}/Chart.yaml`)
  const [standard = {}] = readYaml<Values>(`${CHART}/values.yaml`)
  const program = join(ownFolder('renderer'), 'render-chart')
  const build = `GO111MODULE=off GOPATH=${GO_PACKAGES} GOCACHE='${ROOT}/node_modules/.cache/go' go build -o '${program}' '${RENDERER}'`
  if (!hasHelm) assert.deepEqual(runTool(ROOT, 'sh', '-c', build), { code: 0, output: '' })
  return { Chart: { Name: name, Version: version, AppVersion: appVersion }, standard, program }
}

let chart: ReturnType<typeof openChart> | undefined

/** Renders the chart's resources with these values; returns the error if that fails. */
function render(given: Values): readonly Resource[] | string {
  chart ??= openChart()
  const { Chart, standard, program } = chart
  const file = join(ownFolder('chart'), 'context.json')
  const context = {
    Values: merged(standard, given),
    Chart,
    Release: { Name: 'pay', Namespace: 'payments', Service: 'Helm' },
  }
  writeFileSync(file, JSON.stringify(hasHelm ? given : context))
  const script = hasHelm
    ? `helm template pay '${CHART}' --namespace payments -f '${file}'`
    : `'${program}' '${CHART}' < '${file}'`
  const { code, output } = runTool(ROOT, 'sh', '-c', script)
  if (code !== 0) return output
  writeFileSync(file, output)
  return readYaml<Resource | null>(file).filter((resource) => resource !== null)
}

const resourcesWith = (given: Values): readonly Resource[] => {
  const rendered = render(given)
  assert.ok(typeof rendered !== 'string', String(rendered))
  return rendered
}

let rendered: readonly Resource[] | undefined
const everything = (): readonly Resource[] => (rendered ??= resourcesWith(EVERYTHING))
const podOf = ({ spec }: Resource): Pod | undefined => spec?.template ?? spec?.jobTemplate?.spec.template
const podsOf = (resources: readonly Resource[]): readonly Pod[] => resources.flatMap((one) => podOf(one) ?? [])
const partOf = ({ metadata }: Pod): string => metadata.labels['app.kubernetes.io/component'] ?? ''
const podFor = (part: string): Container => {
  const container = podsOf(everything()).find((pod) => partOf(pod) === part)?.spec.containers[0]
  return container ?? assert.fail(`no pod for ${part}`)
}
const settingsOf = ({ env = [] }: Container): readonly string[] => env.map(({ name }) => name)

test('the chart renders, with and without its optional parts', { skip: withoutRenderer }, () => {
  const kinds = (resources: readonly Resource[]): readonly string[] =>
    resources.map(({ kind, metadata: { name } }) => `${kind} ${name}`).toSorted()
  const least = kinds(resourcesWith(REQUIRED))
  assert.deepEqual(least, [
    'CronJob pay-ledger-verify',
    'CronJob pay-ledger-verify-whole',
    'CronJob pay-safeguarding',
    'Deployment pay',
    'Ingress pay',
    `Job pay-migrate-${version.replaceAll('.', '-')}-abababab`,
    'NetworkPolicy pay-gateway',
    'NetworkPolicy pay-jobs',
    'PodDisruptionBudget pay',
    'Service pay',
    'Service pay-private',
  ])
  const more = kinds(everything()).filter((name) => !least.includes(name))
  assert.deepEqual(more, [
    'CronJob pay-backup',
    'CronJob pay-statements',
    'Deployment pay-connectors',
    'ExternalSecret kobo',
    'ExternalSecret kobo-connectors',
    'HorizontalPodAutoscaler pay',
    'NetworkPolicy pay-connectors',
    'PodDisruptionBudget pay-connectors',
    'PrometheusRule pay',
    'Service pay-connectors',
    'ServiceMonitor pay-connectors',
    'ServiceMonitor pay-gateway',
  ])
})

test('a required value that is missing, a tag for a digest and a trusted range without policies stop the chart', {
  skip: withoutRenderer,
}, () => {
  for (const [change, message] of [
    [{ image: { repository: 'kobo', digest: '' } }, /image\.digest is required/],
    [{ image: { repository: 'kobo', digest: '0.1.0' } }, /image\.digest must be sha256:/],
    [{ host: '' }, /host is required/],
    [{ trustedProxies: [] }, /trustedProxies is required/],
    [{ ingress: { tlsSecret: '' } }, /ingress\.tlsSecret is required/],
    [{ backup: { ...EVERYTHING.backup, claim: '' } }, /backup\.claim is required/],
    [{ trustedProxies: ['10.0.0.0/8'], networkPolicy: { enabled: false } }, /range 10\.0\.0\.0\/8: without network/],
  ] as const) {
    const output = render({ ...REQUIRED, ...change })
    assert.match(typeof output === 'string' ? output : 'it rendered', message)
  }
})

test('every pod is restricted, limited and runs an image by its digest', { skip: withoutRenderer }, () => {
  const pods = podsOf(everything())
  assert.equal(pods.length, 8)
  for (const pod of pods) {
    assert.equal(pod.spec.automountServiceAccountToken, false, partOf(pod))
    const { runAsNonRoot, seccompProfile } = pod.spec.securityContext as Record<string, unknown>
    assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }])
    for (const { image, resources, securityContext, command = [] } of pod.spec.containers) {
      assert.match(image, /^registry\.example\.com\/[a-z-]+@sha256:[0-9a-f]{64}$/)
      assert.ok('memory' in resources.limits && 'cpu' in resources.requests)
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      for (const [program] of command.join(' ').matchAll(/[a-z]+\/src\/main\.ts/g))
        assert.ok(existsSync(join(ROOT, program)), program)
    }
  }
})

test('each pod knows only the secrets that it needs, by names that exist', { skip: withoutRenderer }, () => {
  const known = `${settingsHelp()}\n${connectorSettings()}\n  NODE_EXTRA_CA_CERTS `
  for (const pod of podsOf(everything()))
    for (const container of pod.spec.containers) {
      for (const name of settingsOf(container)) assert.match(known, new RegExp(`^ {2}${name} `, 'm'), name)
      assert.ok(!settingsOf(container).includes('KOBO_MASTER_KEY'), 'the key is a file')
    }
  const having = (name: string): readonly string[] =>
    podsOf(everything()).flatMap((pod) => (settingsOf(podFor(partOf(pod))).includes(name) ? [partOf(pod)] : []))
  assert.deepEqual(having('KOBO_MIGRATION_DATABASE_URL').toSorted(), ['backup', 'migrate'])
  assert.deepEqual(having('KOBO_MASTER_KEY_FILE').toSorted(), ['backup', 'gateway', 'statements'])
  assert.deepEqual(having('KOBO_RAILS_SECRET'), ['gateway'])
})

test('no database outage restarts a gateway or connector, and each image has its own migration job', {
  skip: withoutRenderer,
}, () => {
  const { livenessProbe, startupProbe, readinessProbe } = podFor('gateway')
  assert.deepEqual(
    [livenessProbe, startupProbe, readinessProbe].map((probe) => probe?.httpGet.path),
    ['/health/live', '/health/live', '/health/ready'],
  )
  const connectors = podFor('connectors')
  assert.deepEqual(
    [connectors.livenessProbe, connectors.readinessProbe].map((probe) => [probe?.httpGet.path, probe?.httpGet.scheme]),
    [
      ['/health/live', 'HTTPS'],
      ['/health/ready', 'HTTPS'],
    ],
    'connectors speak HTTPS only',
  )
  for (const path of ['/health/live', '/health/ready'])
    assert.ok(textOf('connectors/src/server.ts').includes(path), `connectors serve ${path}`)
  const migrations = ['ab', 'cd'].map((byte) =>
    resourcesWith({ ...REQUIRED, image: { ...REQUIRED.image, digest: `sha256:${byte.repeat(32)}` } }).find(
      ({ kind }) => kind === 'Job',
    ),
  )
  assert.notEqual(migrations[0]?.metadata.name, migrations[1]?.metadata.name)
  const { annotations } = migrations[0]?.metadata ?? {}
  assert.equal(annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
})

test('two nodes are spread, kept during disruptions and scaled by a metric that exists', {
  skip: withoutRenderer,
}, () => {
  const find = (kind: string): Resource => everything().find((one) => one.kind === kind) ?? assert.fail(kind)
  const gateway = everything().find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'pay')
  assert.equal(gateway?.spec.replicas, undefined, 'the autoscaler decides')
  const keys = gateway?.spec.template?.spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)
  assert.deepEqual(keys, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'])
  for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget'])
    for (const { spec, metadata } of everything().filter((one) => one.kind === kind && one.spec.selector)) {
      const selector = (spec.selector?.matchLabels ?? spec.selector) as Record<string, string>
      const chosen = podsOf(everything()).filter((pod) =>
        Object.entries(selector).every(([name, value]) => pod.metadata.labels[name] === value),
      )
      assert.equal(chosen.length, 1, `${kind} ${metadata.name}`)
    }
  const [, metric = ''] = /"metric":\{"name":"(\w+)"\}/.exec(JSON.stringify(find('HorizontalPodAutoscaler'))) ?? []
  assert.ok(textOf('gateway/src/platform/metrics/metrics.ts').includes(`'${metric}'`), metric)
  assert.match(JSON.stringify(find('PrometheusRule')), /"alert":"KoboDown"/)
  assert.match(JSON.stringify(find('ServiceMonitor')), /"targetLabel":"job","replacement":"kobo/)
})

test('only the ingress controller, the monitoring and the connectors reach the gateway', {
  skip: withoutRenderer,
}, () => {
  const covered = everything()
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec: { podSelector, ingress = [], policyTypes } }) => {
      assert.deepEqual(policyTypes, ['Ingress', 'Egress'])
      for (const { from = [] } of ingress) {
        assert.equal(from.length, 3, 'every caller is named')
        for (const { namespaceSelector, podSelector: pods } of from)
          assert.ok((namespaceSelector ?? pods)?.matchLabels !== undefined)
      }
      const part = podSelector?.matchLabels['app.kubernetes.io/component']
      return part ?? podSelector?.matchExpressions?.[0]?.values ?? []
    })
  assert.deepEqual(covered.toSorted(), podsOf(everything()).map(partOf).toSorted())
  const ingress = JSON.stringify(everything().find(({ kind }) => kind === 'Ingress'))
  assert.doesNotMatch(ingress, /snippet/, 'controllers may forbid snippets')
  for (const path of ['/metrics', '/health'])
    assert.ok(ingress.includes(`"path":"${path}","pathType":"Prefix","backend":{"service":{"name":"pay-private"`), path)
})

/** Kubernetes' schemas as npm packages. They are no dependencies of ours, because they have 40 MB. */
const SCHEMA_PACKAGES = {
  'kubernetes-models': '5',
  '@kubernetes-models/prometheus-operator': '6',
  '@kubernetes-models/external-secrets': '2',
}
const schemasOf = (apiVersion: string): keyof typeof SCHEMA_PACKAGES =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : apiVersion.startsWith('external-secrets.io/')
      ? '@kubernetes-models/external-secrets'
      : 'kubernetes-models'

slow('every resource of the chart matches Kubernetes’ schemas', { skip: withoutRenderer }, async (t) => {
  const folder = ownFolder('schemas')
  writeFileSync(join(folder, 'package.json'), '{}')
  const problem = await npmInstall(folder, ...Object.entries(SCHEMA_PACKAGES).map((parts) => parts.join('@')))
  if (problem !== undefined) return t.skip(problem)
  type Model = new (data: object) => { readonly validate: () => void }
  const check = async ({ apiVersion, kind, ...data }: Resource): Promise<void> => {
    const file = join(folder, 'node_modules', schemasOf(apiVersion), apiVersion, `${kind}.js`)
    const { [kind]: Model } = (await import(pathToFileURL(file).href)) as Record<string, Model>
    assert.ok(Model !== undefined, `${apiVersion} has ${kind}`)
    new Model(data).validate()
  }
  for (const resource of everything()) await check(resource)
  for (const kind of ['Deployment', 'CronJob', 'ServiceMonitor', 'ExternalSecret']) {
    const resource = everything().find((one) => one.kind === kind) ?? assert.fail(kind)
    await assert.rejects(check({ ...resource, spec: 'none' } as unknown as Resource), kind)
  }
})

test('kubeconform accepts the chart', { skip: without('kubeconform') || withoutRenderer }, () => {
  const file = join(ownFolder('chart'), 'resources.json')
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: everything() }))
  const { code, output } = runTool(ROOT, 'kubeconform', '-strict', '-ignore-missing-schemas', file)
  assert.equal(code, 0, output)
})

test('the chart has the version of the program', () => {
  const chart = readFileSync(join(CHART, 'Chart.yaml'), 'utf8')
  for (const name of ['version', 'appVersion']) assert.match(chart, new RegExp(`^${name}: ${version}$`, 'm'))
})
