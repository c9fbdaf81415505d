/** As git prints it: a changed file, a new one, one that was renamed, one that is binary, one with hidden characters. */
export const SAMPLE_DIFF = `diff --git a/README.md b/README.md
index 1111111..2222222 100644
--- a/README.md
+++ b/README.md
@@ -1,3 +1,4 @@
 # Tariffs
-Looks tariffs up.
+Looks tariffs up, once per policy year.
+See docs/cache.md.
 
diff --git a/src/tariff/lookup.ts b/src/tariff/lookup.ts
index 3333333..4444444 100644
--- a/src/tariff/lookup.ts
+++ b/src/tariff/lookup.ts
@@ -12,7 +12,10 @@ export function lookup(policy: Policy)
 export function lookup(policy: Policy): Tariff {
-  const table = loadTariffs();
-  return table.find((t) => t.year === policy.year);
+  const year = policyYear(policy);
+  const hit = cache.get(year);
+  if (hit) return hit;
+  cache.set(year, tariff);
+  return tariff;
 }
 
 export function watchTariffs(dir: string): Disposable {
-  return watch(dir, () => reload());
+  return watch(dir, (file) => reload());
diff --git a/src/tariff/cache.ts b/src/tariff/cache.ts
new file mode 100644
index 0000000..5555555
--- /dev/null
+++ b/src/tariff/cache.ts
@@ -0,0 +1,3 @@
+export const cache = new Map<number, Tariff>();
+// access \u202Enimda\u202C is checked elsewhere
+export const size = () => cache.size;
diff --git a/docs/old.md b/docs/new.md
similarity index 90%
rename from docs/old.md
rename to docs/new.md
index 6666666..7777777 100644
--- a/docs/old.md
+++ b/docs/new.md
@@ -1,2 +1,2 @@
-Old words.
+New words.
 Same words.
diff --git a/logo.png b/logo.png
index 8888888..9999999 100644
Binary files a/logo.png and b/logo.png differ
`;
