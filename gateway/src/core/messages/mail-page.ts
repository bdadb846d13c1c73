import { type Html, html, trusted } from '../../platform/formats/html.ts'
import type { Mail, MailedPicture } from '../../platform/smtp.ts'
import type { Core } from '../core.ts'
import { PALETTE } from '../edge/pages/index.ts'
import { findLogo, logoPath, type Merchant } from '../merchants/index.ts'

/** The sender's name and colour in mails that concern no merchant. */
const OWN = { name: 'Kobo', brandColour: null }
const LOGO_ID = 'logo'
const { stub, paper, card, ink, quiet, line, accent } = PALETTE.light

/** Addresses that become links. A full stop or bracket at the end belongs to the sentence. */
const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g

/** Turns the web addresses in a line of text into links. */
function linked(text: string): Html {
  const links = [...text.matchAll(ADDRESS)]
  const ends = [0, ...links.map((link) => link.index + link[0].length)]
  const parts = links.map(
    (link, nth) =>
      html`${text.slice(ends[nth], link.index)}<a href="${link[0]}" style="color:${accent};word-break:break-all">${link[0]}</a>`,
  )
  return html`${parts}${text.slice(ends.at(-1))}`
}

/** Splits a text into paragraphs at blank lines. Other line breaks are kept. */
const paragraphs = (text: string): readonly Html[] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const lines = paragraph.split('\n').map((one, nth) => html`${nth > 0 && trusted('<br>')}${linked(one)}`)
      return html`<p style="margin:0 0 16px">${lines}</p>`
    })

/** Builds a mail's page: a header in the merchant's colour with name and logo, and the text. It loads no files. */
const pageOf = (
  name: string,
  colour: string,
  hasLogo: boolean,
  { subject, text }: Mail,
  language: string,
): Html => html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
<body style="margin:0;background:${paper};color:${ink};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:${paper}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:600px;background:${card};border:1px solid ${line};border-radius:12px;overflow:hidden">
<tr><td style="background:${colour};color:#ffffff;padding:16px 24px;font-size:18px;font-weight:600">${
  hasLogo &&
  html`<img src="cid:${LOGO_ID}" alt="" height="32" style="height:32px;vertical-align:middle;margin-right:12px">`
}${name}</td></tr>
<tr><td style="padding:24px;overflow-wrap:anywhere"><h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
${paragraphs(text)}</td></tr>
</table><p style="margin:16px 0 0;color:${quiet};font-size:13px">${name}</p>
</td></tr></table></body></html>`

/** Builds a mail's HTML part in the merchant's colours. Also returns the merchant's logo, if there is one. */
export async function mailPage(
  { db }: Pick<Core, 'db'>,
  merchant: Merchant | undefined,
  mail: Mail,
  language: string,
): Promise<{ readonly html: string; readonly picture?: MailedPicture }> {
  const { name, brandColour } = merchant ?? OWN
  const logo = merchant === undefined ? undefined : await logoOf(db, merchant)
  const { markup } = pageOf(name, brandColour ?? stub, logo !== undefined, mail, language)
  return { html: markup, ...(logo === undefined ? {} : { picture: { id: LOGO_ID, ...logo } }) }
}

const logoOf = (db: Core['db'], merchant: Merchant) => findLogo(db, logoPath(merchant)?.split('/').at(-1) ?? '')
