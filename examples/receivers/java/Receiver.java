// Receives webhooks of Review Radar with the standard library of Java 17 or later. How to run it: ../README.md

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public final class Receiver {
    private static final int BODY_BYTES_MAX = 1 << 20;

    private static final List<String> SECRETS =
        Stream.of(setting("HOOK_SECRETS", "").split("\\s+")).filter(secret -> !secret.isEmpty()).toList();
    private static final long TOLERANCE_S = Long.parseLong(setting("TOLERANCE_S", "300"));
    private static final Path INBOX = Path.of(setting("INBOX", "inbox"));
    private static final int PORT = Integer.parseInt(setting("PORT", "4040"));

    /** Whether one of the secrets signed these bytes at most {@code toleranceS} seconds before or after {@code nowS}. */
    static boolean verify(byte[] body, Headers headers, List<String> secrets, long nowS, long toleranceS)
            throws GeneralSecurityException {
        String timestamp = header(headers, "webhook-timestamp");
        if (!timestamp.matches("[0-9]{1,12}") || Math.abs(nowS - Long.parseLong(timestamp)) > toleranceS) {
            return false;
        }
        String signed = header(headers, "webhook-id") + "." + timestamp + ".";
        // During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
        for (String secret : secrets) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
            mac.update(signed.getBytes(UTF_8));
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
            for (String signature : header(headers, "webhook-signature").split(" ")) {
                // Constant time.
                if (MessageDigest.isEqual(expected, signature.getBytes(UTF_8))) return true;
            }
        }
        return false;
    }

    /**
     * Writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
     * changes nothing. Another program processes the files. Returns false for a duplicate.
     */
    private static boolean store(String eventId, byte[] body) throws IOException {
        Path part = Files.createTempFile(INBOX, null, ".part");
        try {
            try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(body);
                while (left.hasRemaining()) file.write(left);
                file.force(true);
            }
            Files.createLink(INBOX.resolve(eventId + ".json"), part);
            return true;
        } catch (FileAlreadyExistsException known) {
            return false;
        } finally {
            Files.delete(part);
        }
    }

    private static int status(HttpExchange exchange) throws IOException, GeneralSecurityException {
        if (!exchange.getRequestMethod().equals("POST")) return 405;
        byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) return 413;
        Headers headers = exchange.getRequestHeaders();
        if (!verify(body, headers, SECRETS, Instant.now().getEpochSecond(), TOLERANCE_S)) return 401;
        String eventId = header(headers, "webhook-id");
        if (!eventId.matches("[0-9a-f]{64}")) return 400;
        if (store(eventId, body)) System.out.println("event " + eventId);
        return 204;
    }

    private static void handle(HttpExchange exchange) {
        try (exchange) {
            int status;
            try {
                status = status(exchange);
            } catch (IOException | GeneralSecurityException | IllegalArgumentException error) {
                // IllegalArgumentException: a secret is not base64.
                System.err.println(error);
                // The service retries.
                status = 500;
            }
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException error) {
            System.err.println(error);
        }
    }

    private static String header(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }

    private static String setting(String name, String fallback) {
        String value = System.getenv(name);
        return value == null ? fallback : value;
    }

    public static void main(String[] arguments) throws IOException {
        if (SECRETS.isEmpty()) {
            System.err.println("HOOK_SECRETS is missing. Set it to the secret of the hook.");
            System.exit(1);
        }
        Files.createDirectories(INBOX);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", Receiver::handle);
        server.start();
    }
}
