// Fills the reference page. A file of its own, because the page's policy allows no script inside it.
/* global SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
followScheme()
dark.addEventListener('change', followScheme)

const spec = await (await fetch('/api/openapi.json')).json()
const guide = document.querySelector('#guide').content.textContent.replaceAll('{origin}', location.origin)
spec.info.description = `${spec.info.description}\n\n${guide}`

SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelRendering: 'model',
  defaultModelsExpandDepth: 0,
  // For reading: a request from here would change real studies.
  supportedSubmitMethods: [],
  validatorUrl: null,
})
