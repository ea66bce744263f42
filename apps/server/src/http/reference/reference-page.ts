import { referenceGuide } from './reference-guide.ts'

/** Swagger UI works under this: no inline script or style, no eval, nothing from elsewhere, and in no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const referencePageHeaders = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The page of the API reference. Swagger UI renders it in the browser, with the guide above the operations. */
export const renderReferencePage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atrium API reference</title>
<link rel="icon" href="/api/docs/logo.svg" type="image/svg+xml">
<link rel="preload" as="style" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/tokens.css">
<link rel="stylesheet" href="/api/docs/reference.css">
<script defer src="/api/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/api/docs/reference.js"></script>
</head>
<body>
<noscript><p>This page needs JavaScript. See also <a href="/api/openapi.json">the OpenAPI 3.1 document</a>.</p></noscript>
<div id="reference"></div>
<template id="guide">${escapeHtml(referenceGuide())}</template>
</body>
</html>
`
