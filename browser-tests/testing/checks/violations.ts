import type { BrowserContext } from 'playwright-core';

/** Collects every policy violation that the context's pages report, as an event or on the console. */
export async function reportsOf(context: BrowserContext): Promise<string[]> {
  const reports: string[] = [];
  await context.exposeBinding('report', (_, violation: string) => void reports.push(violation));
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) =>
      report(event.violatedDirective + ' ' + event.blockedURI + ' on ' + location.pathname))`,
  );
  context.on('console', (message) => {
    const violation = /Content.Security.Policy|Refused to|Permissions.Policy|Trusted|Opener-Policy/i.test(
      message.text(),
    );
    if (violation) reports.push(message.text());
  });
  return reports;
}
