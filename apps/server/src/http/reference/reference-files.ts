import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createDocument, type Document, sendDocument } from '../document.ts'

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const picture = 'image/svg+xml'
const font = 'font/woff2'

/** What the reference page loads: Swagger UI as it was installed, how we use it, and the face of the platform. */
const files = new Map([
  [
    'swagger-ui-bundle.js',
    { url: import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), contentType: script },
  ],
  ['swagger-ui.css', { url: import.meta.resolve('swagger-ui-dist/swagger-ui.css'), contentType: style }],
  ['reference.js', { url: import.meta.resolve('./reference.js'), contentType: script }],
  ['reference.css', { url: import.meta.resolve('./reference.css'), contentType: style }],
  ['tokens.css', { url: import.meta.resolve('@atrium/design/tokens.css'), contentType: style }],
  [
    'inter.woff2',
    {
      url: import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
      contentType: font,
    },
  ],
  ['logo.svg', { url: import.meta.resolve('@atrium/design/logo.svg'), contentType: picture }],
])

/** Serves the scripts and styles of the reference page. Each is read when somebody first asks for it. */
export function addReferenceFiles(app: FastifyInstance): void {
  const documents = new Map<string, Document>()
  app.get('/api/docs/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const { name } = request.params
    const file = files.get(name)
    if (!file) return reply.callNotFound()
    const document =
      documents.get(name) ?? createDocument(await readFile(new URL(file.url)), file.contentType)
    documents.set(name, document)
    return sendDocument(request, reply, document)
  })
}
