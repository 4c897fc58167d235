<?php
// Receives webhooks of Review Radar with PHP 8.1 or later and no packages. How to run it: ../README.md

declare(strict_types=1);

const BODY_BYTES_MAX = 1_048_576;

/** Whether one of the secrets signed these bytes at most $toleranceS seconds before or after $nowS. */
function verify(string $body, array $headers, array $secrets, int $nowS, int $toleranceS): bool
{
    $timestamp = $headers['webhook-timestamp'];
    if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp) || abs($nowS - (int) $timestamp) > $toleranceS) {
        return false;
    }
    $signed = "{$headers['webhook-id']}.$timestamp.$body";
    // During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/\Awhsec_/', '', $secret));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        foreach (explode(' ', $headers['webhook-signature']) as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
    }
    return false;
}

/**
 * Writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
 * changes nothing. Another program processes the files. Returns false for a duplicate.
 */
function store(string $inbox, string $id, string $body): bool
{
    $final = "$inbox/$id.json";
    if (is_file($final)) {
        return false;
    }
    $part = tempnam($inbox, 'part-');
    try {
        $file = fopen($part, 'wb');
        if (fwrite($file, $body) !== strlen($body) || !fsync($file) || !fclose($file)) {
            throw new RuntimeException("$part cannot be written.");
        }
        // Of two concurrent requests, only one creates the link.
        if (@link($part, $final)) {
            return true;
        }
        if (is_file($final)) {
            return false;
        }
        throw new RuntimeException("$final cannot be written.");
    } finally {
        unlink($part);
    }
}

function status(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    $body = file_get_contents('php://input', length: BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        return 413;
    }
    $secrets = preg_split('/\s+/', getenv('HOOK_SECRETS') ?: '', -1, PREG_SPLIT_NO_EMPTY);
    if ($secrets === []) {
        throw new RuntimeException('HOOK_SECRETS is missing. Set it to the secret of the hook.');
    }
    $headers = [
        'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
        'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
        'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    ];
    if (!verify($body, $headers, $secrets, time(), (int) (getenv('TOLERANCE_S') ?: 300))) {
        return 401;
    }
    if (!preg_match('/\A[0-9a-f]{64}\z/', $headers['webhook-id'])) {
        return 400;
    }
    $inbox = getenv('INBOX') ?: 'inbox';
    if (!is_dir($inbox) && !mkdir($inbox, 0700, true) && !is_dir($inbox)) {
        throw new RuntimeException("$inbox cannot be created.");
    }
    if (store($inbox, $headers['webhook-id'], $body)) {
        error_log("event {$headers['webhook-id']}");
    }
    return 204;
}

try {
    http_response_code(status());
} catch (Throwable $error) {
    error_log((string) $error);
    // The service retries.
    http_response_code(500);
}
