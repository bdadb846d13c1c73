import { OWN_FIELDS } from '@kobo/contract/openapi'

/**
 * The only script of the pages. Their Content-Security-Policy contains its hash. It sends the requests of the reference
 * with the demo merchant's keys, if this gateway gives them to a browser on its own machine. Otherwise the reader types
 * keys in, and the script keeps them only in the page.
 */
export const SCRIPT = `
const menu = document.querySelector('.menu')
const wide = matchMedia('(min-width: 60rem)')
const fit = () => { menu.open = wide.matches }
fit()
wide.addEventListener('change', fit)

// Code that is folded by language gets buttons instead, and all pages keep the reader's choice.
const FIRST = 'curl'
const samples = [...document.querySelectorAll('pre + .language')].map((fold) => {
  const byLanguage = new Map([[FIRST, fold.previousElementSibling]])
  for (let one = fold; one?.className === 'language'; one = one.nextElementSibling) {
    const summary = one.querySelector('summary')
    byLanguage.set(summary.textContent, one)
    summary.hidden = one.open = true
  }
  const buttons = document.createElement('div')
  buttons.className = 'languages'
  buttons.setAttribute('role', 'group')
  buttons.setAttribute('aria-label', 'Language')
  for (const language of byLanguage.keys()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = language
    button.addEventListener('click', () => {
      const { top } = button.getBoundingClientRect()
      show(language)
      // Samples above may have become longer: the button stays under the pointer.
      scrollBy(0, button.getBoundingClientRect().top - top)
    })
    buttons.append(button)
  }
  byLanguage.get(FIRST).before(buttons)
  return { byLanguage, buttons }
})
const show = (language) => {
  for (const { byLanguage, buttons } of samples) {
    const shown = byLanguage.has(language) ? language : FIRST
    for (const [name, block] of byLanguage) block.hidden = name !== shown
    for (const button of buttons.children) button.setAttribute('aria-pressed', String(button.textContent === shown))
  }
  localStorage.setItem('language', language)
}
show(localStorage.getItem('language') ?? FIRST)

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

/**
 * References and codes of earlier responses, so that a payment that was just created can be queried and paid. The token
 * of a saved card is kept for the demo merchant only.
 */
const seen = JSON.parse(sessionStorage.getItem('seen') ?? '{}')
const remember = (body, isDemo) => {
  const { checkoutUrl, accountDurationSeconds, accountNumber } = body ?? {}
  for (const [name, value] of Object.entries({ ...body, ...body?.cardDetails }))
    if (typeof value === 'string' && (/(Reference|Code)$/.test(name) || (isDemo && name === 'cardToken'))) seen[name] = value
  if (checkoutUrl) seen.checkoutReference = decodeURIComponent(checkoutUrl.split('/').pop())
  if (accountDurationSeconds !== undefined) seen.accountNumber = accountNumber
  sessionStorage.setItem('seen', JSON.stringify(seen))
}

/** Existing values for the call's fields, taken from the newest entry of a list. */
const existing = async (call, known) => {
  const found = {}
  if (!known) return found
  for (const [name, { list, key }] of Object.entries(call.sources)) {
    if (seen[key] && !list.includes('?') && name !== 'id') {
      found[name] = seen[key]
      continue
    }
    const address = new URL(list, location.origin)
    address.searchParams.set('size', '1')
    const response = await fetch(address, { headers: { authorization: 'Bearer ' + (await logIn(known.apiKey, known.secretKey)) } })
    if (!response.ok) continue
    const { responseBody } = await response.json()
    const value = [responseBody.content ?? responseBody].flat()[0]?.[key]
    if (value !== undefined) found[name] = String(value)
  }
  return found
}

/** The example with the demo merchant's codes, new references, and values that exist. */
const own = ${JSON.stringify(OWN_FIELDS)}
const reference = /^[a-z]+-(1001|march)$/
const filled = (call, known, found, ending) =>
  JSON.stringify(call.body, (name, one) =>
    known && typeof one === 'string' && name in own ? known[own[name]]
    : typeof one !== 'string' ? one
    : call.takesNewReference && reference.test(one) ? one.replace(/[^-]+$/, ending)
    : found[name] ?? seen[name] ?? one, 2)

const newEnding = () => crypto.randomUUID().slice(0, 8)

const build = async (panel) => {
  const call = JSON.parse(panel.querySelector('script').textContent)
  const known = await knownKeys()
  const found = await existing(call, known)
  const form = document.createElement('form')
  const apiKey = call.isOpen ? undefined : field(form, 'API key', known?.apiKey)
  const secretKey = call.isOpen ? undefined : field(form, 'Secret key', known?.secretKey, true)
  const inputs = call.parameters.map((one) => ({ ...one, input: field(form, one.name, one.isSent ? known?.[one.own] ?? found[one.name] ?? seen[one.name] ?? one.example : '') }))
  let body, ending = newEnding(), sent
  if (call.body !== undefined) {
    const label = document.createElement('label')
    label.textContent = 'Body'
    body = document.createElement('textarea')
    body.value = filled(call, known, found, ending)
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
    // If the body is sent again without a change, it gets new references, so it is a new payment or transfer.
    if (body && body.value === sent) body.value = body.value.replaceAll(ending, (ending = newEnding()))
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
      if (reply.ok) sent = body?.value
      if (reply.ok && answer.startsWith('{')) remember(JSON.parse(answer).responseBody, known !== undefined)
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
