import { OWN_FIELDS } from '@kobo/contract/openapi'

/**
 * The pages' only script: their Content-Security-Policy names its hash. It sends the requests of the reference, with
 * the demo merchant's keys if this gateway gives them to a browser on its own machine, else with keys that the reader
 * types in; it stores them only in the page.
 */
export const SCRIPT = `
const menu = document.querySelector('.menu')
const wide = matchMedia('(min-width: 60rem)')
const fit = () => { menu.open = wide.matches }
fit()
wide.addEventListener('change', fit)

const filter = document.querySelector('.filter')
if (filter) {
  filter.hidden = false
  filter.addEventListener('input', () => {
    const query = filter.value.toLowerCase()
    for (const item of document.querySelectorAll('.calls li')) item.hidden = !item.textContent.toLowerCase().includes(query)
  })
}

let keys, token
const knownKeys = () => (keys ??= fetch('/docs/keys').then((response) => (response.ok ? response.json() : undefined), () => undefined))

const field = (form, text, value, isSecret) => {
  const label = document.createElement('label')
  label.textContent = text
  const input = document.createElement('input')
  input.value = value ?? ''
  input.autocomplete = 'off'
  if (isSecret) input.type = 'password'
  label.append(input)
  form.append(label)
  return input
}

const text = async (response) => {
  const body = await response.text()
  try { return JSON.stringify(JSON.parse(body), null, 2) } catch { return body }
}

const logIn = async (apiKey, secretKey) => {
  if (token?.apiKey === apiKey && token.until > performance.now()) return token.value
  const response = await fetch('/api/v1/auth/login', { method: 'POST', headers: { authorization: 'Basic ' + btoa(apiKey + ':' + secretKey) } })
  const { responseBody, responseMessage } = await response.json()
  if (!responseBody) throw new Error(responseMessage)
  token = { apiKey, value: responseBody.accessToken, until: performance.now() + responseBody.expiresIn * 500 }
  return token.value
}

/** References and codes of earlier responses, so that a payment that was just created can be queried. */
const seen = JSON.parse(sessionStorage.getItem('seen') ?? '{}')
const remember = (body) => {
  for (const [name, value] of Object.entries(body ?? {}))
    if (typeof value === 'string' && /(Reference|Code)$/.test(name)) seen[name] = value
  sessionStorage.setItem('seen', JSON.stringify(seen))
}

/** The example with the demo merchant's codes, unused references, and those of earlier responses. */
const own = ${JSON.stringify(OWN_FIELDS)}
const unused = /^(order|refund|payout|wallet|invoice|mandate|batch|paycode)-1001/
const filled = (value, known) => {
  const now = crypto.randomUUID().slice(0, 8)
  return JSON.stringify(value, (name, one) =>
    known && typeof one === 'string' && name in own ? known[own[name]]
    : typeof one === 'string' ? unused.test(one) ? one.replace(unused, '$1-' + now) : seen[name] ?? one : one, 2)
}

const build = async (panel) => {
  const call = JSON.parse(panel.querySelector('script').textContent)
  const known = await knownKeys()
  const form = document.createElement('form')
  const apiKey = call.isOpen ? undefined : field(form, 'API key', known?.apiKey)
  const secretKey = call.isOpen ? undefined : field(form, 'Secret key', known?.secretKey, true)
  const inputs = call.parameters.map((one) => ({ ...one, input: field(form, one.name, one.required ? seen[one.name] ?? one.example : '') }))
  let body
  if (call.body !== undefined) {
    const label = document.createElement('label')
    label.textContent = 'Body'
    body = document.createElement('textarea')
    body.value = filled(call.body, known)
    body.rows = Math.min(body.value.split('\\n').length, 20)
    body.spellcheck = false
    label.append(body)
    form.append(label)
  }
  const button = document.createElement('button')
  button.textContent = 'Send'
  form.append(button)
  const output = document.createElement('pre')
  output.className = 'response'
  output.tabIndex = 0
  output.setAttribute('role', 'status')
  output.hidden = true
  panel.append(form, output)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    output.hidden = false
    output.textContent = '…'
    try {
      let path = call.path
      const query = new URLSearchParams()
      for (const { name, place, input } of inputs)
        if (place === 'path') path = path.replace('{' + name + '}', encodeURIComponent(input.value))
        else if (input.value) query.set(name, input.value)
      const headers = {}
      if (call.takesKeys) headers.authorization = 'Basic ' + btoa(apiKey.value + ':' + secretKey.value)
      else if (!call.isOpen) headers.authorization = 'Bearer ' + (await logIn(apiKey.value, secretKey.value))
      if (body) headers['content-type'] = 'application/json'
      const reply = await fetch(path + (query.size ? '?' + query : ''), { method: call.method, headers, body: body?.value })
      const answer = await text(reply)
      if (reply.ok && answer.startsWith('{')) remember(JSON.parse(answer).responseBody)
      output.textContent = reply.status + '\\n' + answer
    } catch (error) {
      output.textContent = error.message
    }
    button.disabled = false
  })
}

for (const panel of document.querySelectorAll('.try')) {
  panel.hidden = false
  panel.addEventListener('toggle', () => { if (panel.open && !panel.querySelector('form')) build(panel) })
}
`
