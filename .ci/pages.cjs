// SPDX-License-Identifier: Apache-2.0
//
// Looks at pages in a real Chromium, wide and narrow, light and dark: axe-core judges each, and a picture of it is left.
//
//   node .ci/pages.cjs FOLDER NAME=ADDRESS...     pictures are FOLDER/NAME-1440.png, NAME-360-dark.png, ...
//
// Exit code 1 if axe-core has anything against a page, or if a page is wider than its window.
const { chromium } = require('playwright-core');
const axe = require('axe-core');

const [folder, ...pages] = process.argv.slice(2);
let wrong = 0;

async function open(browser, address, width, colorScheme) {
  const context = await browser.newContext({
    viewport: { width, height: width > 600 ? 900 : 780 },
    colorScheme,
    reducedMotion: 'reduce',
    bypassCSP: true, // for axe-core's script
  });
  const page = await context.newPage();
  const failures = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(address, { waitUntil: 'load' });
  return { page, width, colorScheme, failures };
}

async function judge({ page, width, colorScheme, failures }, name) {
  // What is folded is judged too.
  await page.evaluate(() => document.querySelectorAll('details').forEach((each) => { each.open = true; }));
  await page.evaluate(axe.source);
  const { violations, passes, incomplete } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  for (const each of violations) {
    failures.push(`${each.id} (${each.impact}): ${each.help}`);
    each.nodes.slice(0, 5).forEach((node) => failures.push(`  ${node.target.join(' ')}: ${node.failureSummary.replace(/\s+/g, ' ')}`));
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) failures.push(`the page is ${wide} px wide`);
  if (passes.length < 10) failures.push(`only ${passes.length} rules of axe-core found anything to judge`);
  console.log(`pages: ${name}, ${width} px, ${colorScheme}: ${passes.length} rules kept, ${incomplete.length} not decided, ${failures.length === 0 ? 'nothing wrong' : 'WRONG:'}`);
  failures.forEach((each) => console.log(`  ${each}`));
  wrong += failures.length;
}

async function look(browser, name, address) {
  const opened = [];
  for (const width of [1440, 360]) {
    for (const colorScheme of ['light', 'dark']) {
      opened.push(await open(browser, address, width, colorScheme));
    }
  }
  for (const { page, width, colorScheme } of opened) {
    const path = `${folder}/${name}-${width}${colorScheme === 'dark' ? '-dark' : ''}.png`;
    await page.screenshot({ path, fullPage: true });
  }
  for (const each of opened) await judge(each, name);
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  try {
    for (const each of pages) {
      const at = each.indexOf('=');
      await look(browser, each.slice(0, at), each.slice(at + 1));
    }
  } finally {
    await browser.close();
  }
  process.exit(wrong === 0 ? 0 : 1);
})();
