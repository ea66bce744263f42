export { type AlertDeclaration, alerts } from './alerts.ts'
export { foreignMetrics } from './foreign-metrics.ts'
export { furtherAlerts } from './further-alerts.ts'
export { type MetricDeclaration, type MetricUnit, metrics, metricsOf } from './metrics.ts'
