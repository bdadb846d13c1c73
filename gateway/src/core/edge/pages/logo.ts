/** The logo: a coin with a k. */
export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<circle cx="32" cy="32" r="31" fill="#0b7a4b"/>
<circle cx="32" cy="32" r="25.5" fill="none" stroke="#f4d58d" stroke-width="2.5" stroke-dasharray="1 4.34" stroke-linecap="round"/>
<path d="M25 18v28M41 27 26 37.5M31 34l10.5 12" fill="none" stroke="#fff" stroke-width="5.5" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`
