import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PLUGIN = fileURLToPath(new URL('../../samples/wordpress/kobo.php', import.meta.url))

/** Loads the plugin in PHP with the few functions of WordPress that it calls, and prints a value as JSON. */
const inWordPress = (server: Readonly<Record<string, string>>, value: string): unknown =>
  JSON.parse(
    execFileSync(
      'php',
      ['-d', 'display_errors=stderr', '-r'].concat(`
      define('KOBO_URL', 'https://pay.example.com/');
      define('KOBO_WEBHOOK_IPS', ['203.0.113.7']);
      $_SERVER = json_decode('${JSON.stringify(server)}', true) + $_SERVER;
      $filters = [];
      function add_filter($name, $work) { global $filters; $filters[$name] = $work; }
      function wp_remote_request($url, $arguments) { return [$url, $arguments]; }
      require '${PLUGIN}';
      echo json_encode(${value});`),
      { encoding: 'utf8' },
    ),
  )

const hasPhp = (): boolean => {
  try {
    execFileSync('php', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const skip = hasPhp() ? false : 'php is not installed here'

test('the WordPress plugin sends the calls of Monnify’s plugins to the gateway, and no others', { skip }, () => {
  const urls = [
    'https://sdk.monnify.com/plugin/monnify.js?ver=1',
    'https://sandbox.sdk.monnify.com/plugin/monnify.js',
    'https://shop.example/wp-includes/js/jquery.js',
    'https://monnify.com.evil.example/plugin/monnify.js',
  ]
  const scripts = inWordPress({}, `array_map($filters['script_loader_src'], json_decode('${JSON.stringify(urls)}'))`)
  assert.deepEqual(scripts, [
    'https://pay.example.com/plugin/monnify.js?ver=1',
    'https://pay.example.com/plugin/monnify.js',
    ...urls.slice(2),
  ])
  const login = 'https://api.monnify.com/api/v1/auth/login'
  const sent = inWordPress({}, `$filters['pre_http_request'](false, ['method' => 'POST'], '${login}')`)
  assert.deepEqual(sent, ['https://pay.example.com/api/v1/auth/login', { method: 'POST' }])
  assert.equal(inWordPress({}, `$filters['pre_http_request'](false, [], 'https://api.wordpress.org/')`), false)
})

test('the WordPress plugin accepts signed webhooks of the gateway only', { skip }, () => {
  const seen = (address: string, signature: Record<string, string>): unknown =>
    inWordPress({ REMOTE_ADDR: address, ...signature }, `$_SERVER['REMOTE_ADDR']`)
  const signed = { HTTP_MONNIFY_SIGNATURE: 'ab' }
  assert.equal(seen('203.0.113.7', signed), '35.242.133.146')
  assert.equal(seen('203.0.113.8', signed), '203.0.113.8')
  assert.equal(seen('203.0.113.7', {}), '203.0.113.7')
})
