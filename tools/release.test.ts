import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownFolder } from '../gateway/test/harness/clear-up.ts'
import { linkDependencies } from '../gateway/test/harness/previous-version.ts'
import { slow } from '../gateway/test/harness/slow.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A clone of the present commit with a release tag, followed by a commit with a new migration. */
function aClone() {
  const folder = ownFolder('release')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  execFileSync('git', ['clone', '--quiet', '--no-tags', ROOT, folder])
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.com'],
  ] as const)
    git('config', name, value)
  git('tag', 'v0.1.0')
  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')))
  edit('CHANGELOG.md', (text) =>
    text.replace('\n## [0.1.0] - unreleased', '\n## [Unreleased]\n\n- Faster.\n\n## [0.1.0] - 2026-11-17'),
  )
  writeFileSync(join(folder, 'gateway/migrations/209901010000_new.sql'), 'select 1;\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Change something')
  const release = (...args: readonly string[]) => {
    // Without this the runner treats the command as one of its own tests.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const program = join(ROOT, 'tools/release.ts')
    return spawnSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: 'utf8' })
  }
  return { folder, git, release, textOf: (path: string) => readFileSync(join(folder, path), 'utf8') }
}

slow('a release is refused in a clone with changes, for an old version, a released one and an empty changelog', () => {
  const { folder, git, release } = aClone()
  const before = git('rev-parse', 'HEAD')
  const fails = (message: RegExp, ...args: readonly string[]): void => {
    const { status, stderr } = release(...args)
    assert.deepEqual([status, message.test(stderr)], [1, true], stderr)
  }
  assert.match(release('--help').stdout, /npm run release -- VERSION/)
  fails(/Name one version/)
  fails(/is not a version such as/, 'v0.2')
  fails(/is older than the present version, 0\.1\.0/, '0.0.9')
  fails(/0\.1\.0 is released/, '0.1.0')
  fails(/Unknown option/, '0.2.0', '--push')

  const dry = release('0.2.0', '--dry-run')
  assert.equal(dry.status, 0, dry.stderr)
  assert.match(dry.stdout, /tag v0\.2\.0:[\s\S]*CHANGELOG\.md[\s\S]*Nothing was done/)

  appendFileSync(join(folder, 'README.md'), 'unsaved\n')
  fails(/The clone has changes: commit or remove them first\.\n ?M README\.md/, '0.2.0')
  git('checkout', '--quiet', '.')
  git('checkout', '--quiet', 'v0.1.0', '--', 'CHANGELOG.md')
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [0.1.0] - 2026-11-17\n')
  git('commit', '--quiet', '--all', '--message', 'Say nothing')
  fails(/no unreleased section at its top/, '0.2.0')
  git('reset', '--quiet', '--hard', before)
  assert.deepEqual([git('status', '--porcelain'), git('tag', '--list')], ['', 'v0.1.0'])
})

slow('a release has one version everywhere, a tag, upgrade notes, and its files with their checksums', () => {
  const { folder, git, release, textOf } = aClone()
  linkDependencies(folder)
  appendFileSync(join(folder, '.git/info/exclude'), 'node_modules\n') // links, not folders
  const out = join(ownFolder('released'), 'files')
  const { status, stdout, stderr } = release('0.2.0', '--out', out)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /Committed and tagged v0\.2\.0/)

  assert.deepEqual([git('status', '--porcelain'), git('describe', '--exact-match')], ['', 'v0.2.0'])
  for (const path of git('ls-files', 'package.json', '*/package.json').split('\n')) {
    const { version = '0.2.0', dependencies = {}, devDependencies = {} } = JSON.parse(textOf(path))
    const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name.startsWith('@kobo/'))
    assert.deepEqual(new Set([version, ...ours.map(([, range]) => range)]), new Set(['0.2.0']), path)
  }
  const others = (text: string) =>
    Object.entries(JSON.parse(text).packages).filter(([path]) => path.includes('node_modules/'))
  assert.deepEqual(others(textOf('package-lock.json')), others(git('show', 'v0.1.0:package-lock.json')))
  // The old version is mentioned only where it means the earlier release; a published report names the version it ran.
  const left = git(
    'grep',
    '-nF',
    '0.1.0',
    '--',
    '.',
    ':!package-lock.json',
    ':!CHANGELOG.md',
    ':!*-report.md',
    ':!*.test.ts',
  )
  for (const line of left.split('\n')) assert.match(line, /before 0\.1\.0|PREVIOUS_VERSION = 'v0\.1\.0'/)

  const notes = readFileSync(join(out, 'NOTES.md'), 'utf8')
  assert.match(
    notes,
    /^# Kobo 0\.2\.0\n\n\*\*Upgrade\*\*: From 0\.1\.0 or newer, without downtime.* 0\.1\.0: 1\.\n\n- Faster\.\n$/,
  )
  assert.ok(textOf('CHANGELOG.md').includes('## [0.1.0] - 2026-11-17'))
  assert.deepEqual(readdirSync(out).toSorted(), [
    'NOTES.md',
    'SHA256SUMS',
    'kobo-0.2.0.sbom.json',
    'kobo-0.2.0.tar.gz',
    'kobo-chart-0.2.0.tgz',
    'kobo-cli-0.2.0.tgz',
    'kobo-sdk-0.2.0.tgz',
    'kobo-sdk-go-0.2.0.tar.gz',
    'kobo-sdk-php-0.2.0.tar.gz',
    'kobo-sdk-python-0.2.0.tar.gz',
  ])
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out })
  const listed = (name: string): string => execFileSync('tar', ['-tzf', join(out, name)], { encoding: 'utf8' })
  assert.match(listed('kobo-0.2.0.tar.gz'), /^kobo-0\.2\.0\/deploy\/docker\/Dockerfile$/m)
  assert.match(listed('kobo-sdk-0.2.0.tgz'), /^package\/dist\/index\.js$/m)
  assert.match(listed('kobo-cli-0.2.0.tgz'), /^package\/dist\/bin\/kobo\.js$/m)
  const rules = execFileSync('tar', ['-xzOf', join(out, 'kobo-chart-0.2.0.tgz'), 'kobo/files/rules.yml'])
  assert.match(String(rules), /alert: KoboDown/)
  const { bomFormat, components } = JSON.parse(readFileSync(join(out, 'kobo-0.2.0.sbom.json'), 'utf8'))
  assert.ok(bomFormat === 'CycloneDX' && components.length > 50)
})
