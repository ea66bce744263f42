export const welcome = (http: string, metrics: string): string => `
  Atrium is running.

    API reference      ${http}/api/docs
    OpenAPI document   ${http}/api/openapi.json
    Health             ${http}/health/ready
    Metrics            ${metrics}/metrics

  A whole participant's life, step by step:  npm run demo
  Stop with Ctrl-C. Data is kept in DATA_DIR (./data).

`
